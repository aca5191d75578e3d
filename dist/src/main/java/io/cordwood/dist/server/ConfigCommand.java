package io.cordwood.dist.server;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cordwood config}: what a node would be started with. */
@Command(
    description = {
      "Show and check what a node would be started with.",
      "Flags come from the command line, else from the environment, else from the file that "
          + "--config names or /etc/cordwood/cordwood.properties, else from the defaults."
    },
    synopsisSubcommandLabel = "print|check",
    subcommands = {ConfigPrintCommand.class, ConfigCheckCommand.class})
public final class ConfigCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "expected print or check, found none");
  }
}
