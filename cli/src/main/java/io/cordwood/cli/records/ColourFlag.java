package io.cordwood.cli.records;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.terminal.StandardOutput;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Whether and how matches are coloured, by grep's flag and the environment. */
final class ColourFlag implements Flags {
  private static final String USUAL = "01;31";

  enum When {
    AUTO,
    ALWAYS,
    NEVER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  When when = When.AUTO;

  @Override
  public void list(FlagList list) {
    list.flag("--color", "--colour")
        .label("WHEN")
        .help(
            "Matches in colour: ${COMPLETION-CANDIDATES}. Default: auto, on a terminal unless "
                + "NO_COLOR is set; GREP_COLORS says which (mt=01;31).")
        .value(When.class, when, value -> when = value);
  }

  /** The SGR parameters for what matches on standard output; null: no colour. */
  public @Nullable String parameters() {
    return parameters(when, StandardOutput.isTerminal(), System::getenv);
  }

  /**
   * @param environment variables by name; null: not set
   */
  static @Nullable String parameters(
      When when, boolean terminal, Function<String, @Nullable String> environment) {
    boolean wanted =
        switch (when) {
          case ALWAYS -> true;
          case NEVER -> false;
          case AUTO ->
              terminal
                  && isEmpty(environment.apply("NO_COLOR"))
                  && !"dumb".equals(environment.apply("TERM"));
        };
    return wanted ? ofMatches(environment.apply("GREP_COLORS")) : null;
  }

  private static boolean isEmpty(@Nullable String value) {
    return value == null || value.isEmpty();
  }

  /** The last {@code mt} or {@code ms} that is well-formed: numbers and semicolons. */
  private static String ofMatches(@Nullable String colours) {
    String found = USUAL;
    for (String each : colours == null ? new String[0] : colours.split(":", -1)) {
      if (each.matches("m[ts]=[0-9;]*")) {
        found = each.substring(3);
      }
    }
    return found;
  }
}
