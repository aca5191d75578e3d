package io.cordwood.cli.program;

import io.cordwood.common.text.Spelling;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The settings of a {@link ConfigFile} that count for one command. */
final class FileSettings {
  /** The flag that names the file; commands without it have none. */
  static final String FLAG = "--config";

  static final FileSettings NONE = new FileSettings(Map.of());

  /** By key, with the command's name before it or not. */
  private final Map<String, Setting> settings;

  private FileSettings(Map<String, Setting> settings) {
    this.settings = settings;
  }

  /**
   * Those of a file.
   *
   * @throws CommandException if there is a key that is none of the command's; one that begins with
   *     another command's name is passed over
   */
  static FileSettings of(ConfigFile file, CommandSpec command) {
    Map<String, OptionSpec> known =
        command.options().stream()
            .filter(option -> !option.usageHelp() && !option.versionHelp())
            .filter(option -> !option.longestName().equals(FLAG))
            .collect(Collectors.toMap(FileSettings::key, option -> option));
    Map<String, Setting> settings = new HashMap<>();
    for (ConfigFile.Entry entry : file.entries()) {
      int dot = entry.key().indexOf('.');
      String prefix = entry.key().substring(0, Math.max(0, dot));
      boolean own = prefix.equals(Environment.command(command));
      OptionSpec option = known.get(entry.key().substring(dot + 1));
      if (option != null && (dot < 0 || own)) {
        var source = own ? Setting.Source.FILE_OF_COMMAND : Setting.Source.FILE;
        String name = entry.key() + " in " + file.place(entry);
        settings.put(entry.key(), new Setting(option, name, entry.value(), source));
      } else if (dot < 0 || own || !ConfigFile.COMMANDS.contains(prefix)) {
        throw unknown(file, entry, command, known);
      }
    }
    return new FileSettings(settings);
  }

  private static CommandException unknown(
      ConfigFile file, ConfigFile.Entry entry, CommandSpec command, Map<String, OptionSpec> known) {
    List<String> names =
        Stream.concat(Stream.of(""), ConfigFile.COMMANDS.stream().map(prefix -> prefix + "."))
            .flatMap(prefix -> known.keySet().stream().map(key -> prefix + key))
            .toList();
    String meant =
        Spelling.nearest(entry.key(), names)
            .map(near -> "; did you mean " + near + "?")
            .orElse("; a flag of another command has its name before it, as in ingest.topic");
    return new CommandException(
        "%s: unknown key %s of '%s'%s"
            .formatted(
                file.place(entry), ConfigFile.shown(entry.key()), command.qualifiedName(), meant));
  }

  private static String key(OptionSpec option) {
    String name = option.longestName();
    return name.startsWith("--") ? name.substring(2) : name.substring(1);
  }

  /** The setting of a flag. */
  Optional<Setting> of(OptionSpec option) {
    String key = key(option);
    return Stream.of(Environment.command(option.command()) + "." + key, key)
        .flatMap(name -> Stream.ofNullable(settings.get(name)))
        .findFirst();
  }
}
