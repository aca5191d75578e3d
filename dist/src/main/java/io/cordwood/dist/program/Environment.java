package io.cordwood.dist.program;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The flags that are set by variables of the environment: {@code --max-count} by {@code
 * CORDWOOD_MAX_COUNT}, or for one command only by {@code CORDWOOD_GREP_MAX_COUNT}, which counts
 * more. A flag of the command line counts more than both, and so does one that excludes it.
 */
public final class Environment implements IDefaultValueProvider {
  private static final String PREFIX = "CORDWOOD_";

  private final Map<String, String> variables;
  private final List<String> args;

  /**
   * @param args the command line
   */
  Environment(Map<String, String> variables, List<String> args) {
    this.variables = variables;
    this.args = args;
  }

  /** The names of the variables for a flag, those that count more first. */
  public static List<String> names(OptionSpec option) {
    String command = option.command().qualifiedName().replaceFirst("^cordwood *", "");
    List<String> flags = Stream.of(option.names()).filter(name -> name.startsWith("--")).toList();
    return Stream.concat(flags.stream().map(flag -> command + flag), flags.stream())
        .map(Environment::variable)
        .toList();
  }

  private static String variable(String flag) {
    String words = flag.replaceAll("[ -]+", "_").replaceFirst("^_", "");
    return PREFIX + words.toUpperCase(Locale.ROOT);
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || isExcluded(option)) {
      return null;
    }
    return variable(option).map(name -> value(option, name)).orElse(null);
  }

  /** The variable that sets a flag, unless the command line does. */
  private Optional<String> variable(OptionSpec option) {
    boolean isFlag = !option.usageHelp() && !option.versionHelp();
    return isFlag && !isGiven(option)
        ? names(option).stream().filter(this::isSet).findFirst()
        : Optional.empty();
  }

  /** Kubernetes sets variables to addresses of services, whatever those are called. */
  private boolean isSet(String name) {
    String value = variables.getOrDefault(name, "");
    return !value.isEmpty() && !value.matches("(tcp|udp|sctp)://.*");
  }

  private String value(OptionSpec option, String name) {
    String value = Objects.requireNonNull(variables.get(name));
    boolean alone = option.arity().max() == 0;
    return alone && value.equals("1") ? "true" : alone && value.equals("0") ? "false" : value;
  }

  private boolean isExcluded(OptionSpec option) {
    return Exclusions.of(option).anyMatch(this::isGiven);
  }

  private boolean isGiven(OptionSpec option) {
    return args.stream().anyMatch(arg -> Stream.of(option.names()).anyMatch(n -> has(arg, n)));
  }

  /** Whether an argument holds a flag, such as {@code -ic} does {@code -c}. */
  private static boolean has(String arg, String name) {
    boolean letter = name.length() == 2;
    return letter
        ? arg.matches("-[^-].*") && arg.indexOf(name.charAt(1)) > 0
        : arg.equals(name) || arg.startsWith(name + "=");
  }

  /** What is to be said behind an error that a variable may have caused; else nothing. */
  String blame(CommandSpec command, String error) {
    for (OptionSpec option : command.options()) {
      Optional<String> variable = variable(option);
      if (variable.isPresent()) {
        String value = variables.getOrDefault(variable.get(), "");
        boolean named = error.contains(option.longestName());
        if (named || error.contains(value)) {
          return " (" + variable.get() + " is set to '" + value + "')";
        }
      }
    }
    return "";
  }
}
