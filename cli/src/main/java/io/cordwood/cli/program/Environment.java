package io.cordwood.cli.program;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The variables that set flags: {@code --max-count} is set by {@code CORDWOOD_MAX_COUNT}, or for
 * one command only by {@code CORDWOOD_GREP_MAX_COUNT}, which counts more.
 */
public final class Environment {
  private static final String PREFIX = "CORDWOOD_";
  private static final String PROGRAM = "cordwood";

  private final Map<String, String> variables;

  Environment(Map<String, String> variables) {
    this.variables = variables;
  }

  /** The names of the variables for a flag, those that count more first. */
  public static List<String> names(OptionSpec option) {
    String command = command(option.command());
    List<String> flags = Stream.of(option.names()).filter(name -> name.startsWith("--")).toList();
    return Stream.concat(flags.stream().map(flag -> command + flag), flags.stream())
        .map(Environment::variable)
        .toList();
  }

  /** The name of a command without that of the whole program. */
  static String command(CommandSpec command) {
    String name = command.qualifiedName();
    return name.startsWith(PROGRAM) ? name.substring(PROGRAM.length()).strip() : name;
  }

  /** Asked for each flag at many a start, and so without regular expressions. */
  private static String variable(String flag) {
    var name = new StringBuilder(PREFIX);
    for (int at = 0; at < flag.length(); at++) {
      char each = flag.charAt(at);
      boolean isGap = each == '-' || each == ' ';
      if (!isGap) {
        name.append(each);
      } else if (name.charAt(name.length() - 1) != '_') {
        name.append('_');
      }
    }
    return name.toString().toUpperCase(Locale.ROOT);
  }

  /** Whether it has a variable that may be that of a flag. */
  boolean mayHaveAny() {
    return variables.keySet().stream().anyMatch(name -> name.startsWith(PREFIX));
  }

  /** The variable that sets a flag. */
  Optional<Setting> of(OptionSpec option) {
    List<String> names = names(option);
    for (int at = 0; at < names.size(); at++) {
      String value = variables.getOrDefault(names.get(at), "");
      if (!value.isEmpty() && !isOfKubernetes(value)) {
        boolean own = at < names.size() / 2;
        var source = own ? Setting.Source.VARIABLE_OF_COMMAND : Setting.Source.VARIABLE;
        return Optional.of(new Setting(option, names.get(at), value, source));
      }
    }
    return Optional.empty();
  }

  /** Kubernetes sets variables to addresses of services, whatever those are called. */
  private static boolean isOfKubernetes(String value) {
    return value.matches("(tcp|udp|sctp)://.*");
  }
}
