package io.cordwood.dist.server;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A command that runs a node. */
abstract class NodeCommand implements Command {
  private @Nullable CommandSpec spec;

  final ServerFlags server = new ServerFlags();

  @Override
  public void list(FlagList list) {
    spec = list.command();
    list.addAll(server);
  }

  /**
   * Looks at all flags as a node does when it starts, and starts nothing.
   *
   * @throws CommandException if there is one that cannot be
   */
  abstract void check();

  abstract int run() throws Exception;

  /** A flag that cannot be is refused before anything is made, opened or asked. */
  @Override
  public final Integer call() throws Exception {
    check();
    return run();
  }

  final void logFlags() {
    Configuration.log(Objects.requireNonNull(spec), System.getenv());
  }
}
