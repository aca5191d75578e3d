package io.cordwood.cli.program;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
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
 * refused. After the environment comes the file that {@code --config} names.
 */
public final class Environment implements IDefaultValueProvider {
  private static final String PREFIX = "CORDWOOD_";
  private static final String PROGRAM = "cordwood";

  private final Map<String, String> variables;
  private final List<String> args;
  private final Map<CommandSpec, FileSettings> files = new HashMap<>();
  private @Nullable String fileError;

  /**
   * @param args the command line
   */
  Environment(Map<String, String> variables, List<String> args) {
    this.variables = variables;
    this.args = args;
  }

  /** The names of the variables for a flag, those that count more first. */
  public static List<String> names(OptionSpec option) {
    String command = command(option.command());
    return names(command, Stream.of(option.names()).filter(name -> name.startsWith("--")).toList());
  }

  /**
   * The same.
   *
   * @param command its name
   * @param flags the names of the flag that have two dashes
   */
  public static List<String> names(String command, List<String> flags) {
    return Stream.concat(flags.stream().map(flag -> command + flag), flags.stream())
        .map(Environment::variable)
        .toList();
  }

  /** The name of a command without that of the whole program. */
  static String command(CommandSpec command) {
    String name = command.qualifiedName();
    return name.startsWith(PROGRAM) ? name.substring(PROGRAM.length()).strip() : name;
  }

  /** Asked for each flag at each start, and so without regular expressions. */
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

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? setting(option).map(Setting::asFlag).orElseGet(() -> usualFile(option))
        : null;
  }

  private static @Nullable String usualFile(OptionSpec option) {
    boolean named =
        option.longestName().equals(FileSettings.FLAG) && Files.exists(ConfigFile.USUAL);
    return named ? ConfigFile.USUAL.toString() : null;
  }

  /** The setting of a flag, unless something counts more. */
  private Optional<Setting> setting(OptionSpec option) {
    return outside(option)
        .filter(setting ->
            Exclusions.of(option)
                .noneMatch(other ->
                    isGiven(other) || outside(other).filter(setting::isExcludedBy).isPresent()));
  }

  /** The variable for a flag, or the line of the file, unless the command line has the flag. */
  private Optional<Setting> outside(OptionSpec option) {
    if (option.usageHelp() || option.versionHelp() || isGiven(option)) {
      return Optional.empty();
    }
    return variable(option).or(() -> file(option.command()).of(option));
  }

  /** The settings of the file; its errors are reported by {@link #check}. */
  private FileSettings file(CommandSpec command) {
    FileSettings known = files.get(command);
    if (known != null) {
      return known;
    }
    files.put(command, FileSettings.NONE); // while the flag that names it is looked for
    FileSettings found = FileSettings.NONE;
    try {
      OptionSpec flag = command.findOption(FileSettings.FLAG);
      String path = flag == null ? null : path(flag);
      if (path != null) {
        found = FileSettings.of(ConfigFile.read(Path.of(path)), command);
      }
    } catch (CommandException | InvalidPathException e) {
      fileError = String.valueOf(e.getMessage());
    }
    files.put(command, found);
    return found;
  }

  private @Nullable String path(OptionSpec flag) {
    String given = null;
    for (int at = 0; at < args.size() && !args.get(at).equals("--"); at++) {
      String arg = args.get(at);
      if (arg.startsWith(FileSettings.FLAG + "=")) {
        given = arg.substring(FileSettings.FLAG.length() + 1);
      } else if (arg.equals(FileSettings.FLAG) && at + 1 < args.size()) {
        given = args.get(at + 1);
      }
      at += awaitsValue(flag.command(), arg) ? 1 : 0;
    }
    return given != null ? given : defaultValue(flag);
  }

  private Optional<Setting> variable(OptionSpec option) {
    List<String> names = names(option);
    return names.stream()
        .filter(this::isSet)
        .findFirst()
        .map(name ->
            new Setting(
                option,
                name,
                Objects.requireNonNull(variables.get(name)),
                names.indexOf(name) < names.size() / 2
                    ? Setting.Source.VARIABLE_OF_COMMAND
                    : Setting.Source.VARIABLE));
  }

  /** Kubernetes sets variables to addresses of services, whatever those are called. */
  private boolean isSet(String name) {
    String value = variables.getOrDefault(name, "");
    return !value.isEmpty() && !value.matches("(tcp|udp|sctp)://.*");
  }

  /**
   * Looks at what the environment and the file set.
   *
   * @throws ParameterException if two flags exclude each other, or the file is none
   */
  void check(CommandSpec command) {
    file(command);
    if (fileError != null) {
      throw new ParameterException(command.commandLine(), fileError);
    }
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

  /** The origin of a flag's value, as people call it. */
  public String origin(OptionSpec option) {
    return isGiven(option) ? "command line" : setting(option).map(Setting::name).orElse("default");
  }

  /** The note after an error that a variable or the file may have caused; else empty. */
  public String blame(CommandSpec command, String error) {
    return command.options().stream()
        .flatMap(option -> setting(option).stream())
        .filter(setting -> isIn(error, setting))
        .findFirst()
        .map(setting -> " (" + setting.name() + " is set to '" + setting.value() + "')")
        .orElse("");
  }

  private static boolean isIn(String error, Setting setting) {
    return Stream.of(setting.option().names()).anyMatch(name -> hasWord(error, name))
        || (!setting.isAlone() && hasWord(error, setting.value()));
  }

  /** Whether it stands there, and not within something longer, as 1 does in {@code host:1}. */
  private static boolean hasWord(String text, String word) {
    return Pattern.compile("(?<![\\w:.-])" + Pattern.quote(word) + "(?![\\w-]|[.:]\\w)")
        .matcher(text)
        .find();
  }
}
