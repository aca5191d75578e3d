package io.cordwood.dist.server;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ConfigFile;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.program.Settings;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code cordwood config check}: whether a node would start with a file. */
final class ConfigCheckCommand implements Command {
  private NodeRole role = NodeRole.INGESTSTORE;

  private @Nullable Path path;

  @Override
  public void list(FlagList list) {
    list.description(
        "Check a configuration file, without what the environment sets.",
        "Keys and values are checked as a node does it when it starts, with the files of its rules"
            + " and its cluster key; tokens and certificates are not read, no port is opened.");
    list.footer("", "  cordwood config check --role store /etc/cordwood/cordwood.properties");
    list.flag("--role")
        .label("COMMAND")
        .help("Node that it is for: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
        .value(NodeRole.class, role, value -> role = value);
    list.argument("0", "1")
        .label("FILE")
        .help("The file.")
        .value(Path.class, path, value -> path = value);
  }

  @Override
  public Integer call() throws IOException {
    ConfigFile file = ConfigFile.read(Objects.requireNonNull(path));
    checkWhole(role.line(), "--config=" + path);
    for (NodeRole other : NodeRole.values()) {
      if (other != role) {
        checkOwnKeys(other, file);
      }
    }
    StandardOutput.print("%s: %d settings, ok%n".formatted(path, file.entries().size()));
    return Programs.SUCCESS;
  }

  private static void checkWhole(CommandLine line, String... arguments) {
    Settings settings = Programs.parse(line, Map.of(), arguments);
    try {
      line.<NodeCommand>getCommand().check();
    } catch (CommandException e) {
      String message = String.valueOf(e.getMessage());
      throw new CommandException(message + settings.blame(message), e);
    }
  }

  /** The role of the file passes over those of other commands. */
  private static void checkOwnKeys(NodeRole role, ConfigFile file) {
    String prefix = role + ".";
    for (ConfigFile.Entry entry : file.entries()) {
      if (entry.key().startsWith(prefix)) {
        String flag = "--" + entry.key().substring(prefix.length()) + "=" + entry.value();
        try {
          checkWhole(role.line(), "--config=/dev/null", flag);
        } catch (CommandException e) {
          throw new CommandException(file.place(entry) + ": " + e.getMessage(), e);
        }
      }
    }
  }
}
