package io.cordwood.dist.program;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The flags that are set by variables of the environment: {@code --max-count} by {@code
 * CORDWOOD_MAX_COUNT}, or for one command only by {@code CORDWOOD_GREP_MAX_COUNT}, which counts
 * more. A flag of the command line counts more than both. What counts more for a flag does so for
 * the flags that it excludes, too; variables that count the same and exclude each other are
 * refused.
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

  /** A variable that is set, as it counts for a flag. */
  private record Setting(OptionSpec option, String name, String value, boolean own) {
    private boolean isAlone() {
      return option.arity().max() == 0;
    }

    private boolean isOff() {
      return isAlone() && (value.equals("0") || value.equalsIgnoreCase("false"));
    }

    private String asFlag() {
      return isOff() ? "false" : isAlone() && value.equals("1") ? "true" : value;
    }

    private boolean isExcludedBy(Setting other) {
      return other.own && !own && !other.isOff();
    }
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? setting(option).map(Setting::asFlag).orElse(null)
        : null;
  }

  /** What sets a flag, unless something counts more. */
  private Optional<Setting> setting(OptionSpec option) {
    return variable(option)
        .filter(setting ->
            Exclusions.of(option)
                .noneMatch(other ->
                    isGiven(other) || variable(other).filter(setting::isExcludedBy).isPresent()));
  }

  /** The variable for a flag, unless the command line has the flag. */
  private Optional<Setting> variable(OptionSpec option) {
    if (option.usageHelp() || option.versionHelp() || isGiven(option)) {
      return Optional.empty();
    }
    List<String> names = names(option);
    return names.stream()
        .filter(this::isSet)
        .findFirst()
        .map(name ->
            new Setting(
                option,
                name,
                Objects.requireNonNull(variables.get(name)),
                names.indexOf(name) < names.size() / 2));
  }

  /** Kubernetes sets variables to addresses of services, whatever those are called. */
  private boolean isSet(String name) {
    String value = variables.getOrDefault(name, "");
    return !value.isEmpty() && !value.matches("(tcp|udp|sctp)://.*");
  }

  /**
   * Looks at what the environment sets.
   *
   * @throws ParameterException if two flags exclude each other
   */
  void check(CommandSpec command) {
    List<OptionSpec> set =
        command.options().stream().filter(option -> setting(option).isPresent()).toList();
    for (OptionSpec option : set) {
      List<String> names =
          Stream.concat(Stream.of(option), Exclusions.of(option))
              .flatMap(each -> setting(each).stream())
              .filter(setting -> !setting.isOff())
              .map(Setting::name)
              .toList();
      boolean isOff = setting(option).filter(Setting::isOff).isPresent();
      if (names.size() > 1 && !isOff) {
        throw new ParameterException(command.commandLine(), Exclusions.refusal(names));
      }
    }
  }

  private boolean isGiven(OptionSpec option) {
    CommandSpec command = option.command();
    boolean isValue = false;
    for (String arg : args) {
      if (!isValue) {
        if (arg.equals("--")) {
          return false;
        } else if (arg.startsWith("--") ? isNamed(option, arg) : hasLetter(option, arg)) {
          return true;
        }
      }
      isValue = !isValue && awaitsValue(command, arg);
    }
    return false;
  }

  /** Whether the next argument is a flag's value, whatever it looks like. */
  private static boolean awaitsValue(CommandSpec command, String arg) {
    if (arg.startsWith("--")) {
      OptionSpec named = command.findOption(arg);
      return named != null && named.arity().max() > 0;
    }
    boolean letters = arg.startsWith("-");
    for (int at = 1; letters && at < arg.length(); at++) {
      OptionSpec found = command.findOption(arg.charAt(at));
      if (found != null && found.arity().max() > 0) {
        return at == arg.length() - 1;
      }
      letters = found != null;
    }
    return false;
  }

  private static boolean isNamed(OptionSpec option, String arg) {
    return Stream.of(option.names())
        .anyMatch(name -> arg.equals(name) || arg.startsWith(name + "="));
  }

  /** Whether {@code -ic} has {@code -c}; in {@code -ec} that is a value. */
  private static boolean hasLetter(OptionSpec option, String arg) {
    boolean letters = arg.startsWith("-");
    for (int at = 1; letters && at < arg.length(); at++) {
      OptionSpec found = option.command().findOption(arg.charAt(at));
      if (option.equals(found)) {
        return true;
      }
      letters = found != null && found.arity().max() == 0;
    }
    return false;
  }

  /** What is to be said behind an error that a variable may have caused; else nothing. */
  String blame(CommandSpec command, String error) {
    return command.options().stream()
        .flatMap(option -> setting(option).stream())
        .filter(setting -> isIn(error, setting))
        .findFirst()
        .map(setting -> " (" + setting.name + " is set to '" + setting.value + "')")
        .orElse("");
  }

  private static boolean isIn(String error, Setting setting) {
    return Stream.of(setting.option.names()).anyMatch(name -> hasWord(error, name))
        || (!setting.isAlone() && hasWord(error, setting.value));
  }

  /** Whether it stands there, and not within something longer, as 1 does in {@code host:1}. */
  private static boolean hasWord(String text, String word) {
    return Pattern.compile("(?<![\\w:.-])" + Pattern.quote(word) + "(?![\\w-]|[.:]\\w)")
        .matcher(text)
        .find();
  }
}
