package io.cordwood.cli.search;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.terminal.StandardOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Flags of grep that make no sense of a tail. None of them is shown in the help. */
final class TailHabits implements Flags {
  boolean count;
  int context;

  @Override
  public void list(FlagList list) {
    list.flag("-c", "--count").hidden().on(value -> count = value);
    list.flag("-A", "-B", "-C", "--after-context", "--before-context", "--context")
        .hidden()
        .value(int.class, context, value -> context = value);
    list.flag("--follow").hidden().on(_ -> {});
  }

  /** Tells a person of patterns that are names of files: tail of other systems follows those. */
  static void sayIfFiles(List<String> patterns, List<String> patternFiles) {
    if (!StandardOutput.isErrorTerminal()) {
      return;
    }
    patternFiles.forEach(file ->
        System.err.printf(
            "cordwood tail: the lines of %s are patterns here; tail follows without -f%n", file));
    patterns.stream()
        .filter(pattern -> !pattern.isEmpty() && Files.isRegularFile(Path.of(pattern)))
        .findFirst()
        .ifPresent(file ->
            System.err.printf(
                "cordwood tail: a node is asked for records with the text %s; 'cordwood forward"
                    + " --file %s' sends the lines of the file, 'cordwood grep PATTERN %s' searches"
                    + " it%n",
                file, file, file));
  }

  /**
   * Looks at what is not here.
   *
   * @throws CommandException which says what is
   */
  void check() {
    if (count) {
      throw new CommandException(
          "-c: a tail has no end at which it could count; 'cordwood grep -c' counts, and 'cordwood"
              + " histogram' by time");
    }
    if (context != 0) {
      throw new CommandException(
          "-A, -B, -C: context looks back, which a tail does not; 'cordwood grep -C' does");
    }
  }
}
