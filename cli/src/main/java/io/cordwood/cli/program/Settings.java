package io.cordwood.cli.program;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Sets the flags that a command line does not have, from variables of the {@link Environment}, and
 * after those the file that {@code --config} names. What counts more for a flag does so for the
 * flags that it excludes, too; settings that count the same and exclude each other are refused.
 */
public final class Settings implements IDefaultValueProvider {
  private final Environment environment;
  private final Map<OptionSpec, Setting> settings = new LinkedHashMap<>();

  /**
   * None, until a command line is {@linkplain #find read}.
   *
   * @param variables by name
   */
  Settings(Map<String, String> variables) {
    this.environment = new Environment(variables);
  }

  /**
   * Finds what counts beside a command line.
   *
   * @return whether there is anything
   * @throws ParameterException if two settings exclude each other, or the file is none
   */
  boolean find(ParseResult line) {
    for (CommandLine each : line.asCommandLineList()) {
      CommandSpec command = each.getCommandSpec();
      Map<OptionSpec, Setting> outside = outside(command);
      outside.forEach((option, setting) -> {
        if (counts(setting, outside)) {
          settings.put(option, setting);
        }
      });
      settings.values().forEach(setting -> refuseOthers(command, setting));
    }
    return !settings.isEmpty();
  }

  /** All that is set for a command, whatever it is excluded by. */
  private Map<OptionSpec, Setting> outside(CommandSpec command) {
    Map<OptionSpec, Setting> outside = new LinkedHashMap<>();
    FileSettings file = file(command);
    if (file == FileSettings.NONE && !environment.mayHaveAny()) {
      return outside;
    }
    for (OptionSpec option : command.options()) {
      if (!option.usageHelp() && !option.versionHelp() && !isGiven(option)) {
        environment
            .of(option)
            .or(() -> file.of(option))
            .ifPresent(setting -> outside.put(option, setting));
      }
    }
    return outside;
  }

  private FileSettings file(CommandSpec command) {
    OptionSpec flag = command.findOption(FileSettings.FLAG);
    if (flag == null) {
      return FileSettings.NONE;
    }
    try {
      Path named =
          isGiven(flag)
              ? flag.getValue()
              : environment.of(flag).map(setting -> Path.of(setting.value())).orElse(null);
      return ConfigFile.orUsual(named)
          .map(file -> FileSettings.of(file, command))
          .orElse(FileSettings.NONE);
    } catch (CommandException | InvalidPathException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static boolean counts(Setting setting, Map<OptionSpec, Setting> outside) {
    return Exclusions.of(setting.option())
        .noneMatch(other ->
            isGiven(other)
                || Stream.ofNullable(outside.get(other)).anyMatch(setting::isExcludedBy));
  }

  private void refuseOthers(CommandSpec command, Setting setting) {
    List<String> names =
        Stream.concat(Stream.of(setting.option()), Exclusions.of(setting.option()))
            .flatMap(option -> Stream.ofNullable(settings.get(option)))
            .filter(each -> !each.isOff())
            .map(Setting::name)
            .toList();
    if (names.size() > 1 && !setting.isOff()) {
      throw new ParameterException(command.commandLine(), Exclusions.refusal(names));
    }
  }

  private static boolean isGiven(OptionSpec option) {
    return option.command().commandLine().getParseResult().hasMatchedOption(option);
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    Setting setting = argument instanceof OptionSpec option ? settings.get(option) : null;
    return setting == null ? null : setting.asFlag();
  }

  /** The origin of a flag's value, as people call it. */
  public String origin(OptionSpec option) {
    Setting setting = settings.get(option);
    return isGiven(option) ? "command line" : setting == null ? "default" : setting.name();
  }

  /** The note after an error that a variable or the file may have caused; else empty. */
  public String blame(String error) {
    return settings.values().stream()
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
