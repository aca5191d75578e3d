package io.cordwood.dist.server;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code cordwood config}: what a node would be started with. */
final class ConfigCommand implements Command {
  private @Nullable CommandSpec spec;

  @Override
  public void list(FlagList list) {
    list.description(
        "Show and check what a node would be started with.",
        "Flags come from the command line, else from the environment, else from the file that "
            + "--config names or /etc/cordwood/cordwood.properties, else from the defaults.");
    list.subcommandLabel("print|check");
    list.subcommand("print", new ConfigPrintCommand());
    list.subcommand("check", new ConfigCheckCommand());
    list.sorted();
    spec = list.command();
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected print or check, found none");
  }
}
