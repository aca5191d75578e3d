package io.cordwood.dist.server;

import io.cordwood.dist.program.CommandException;
import io.cordwood.dist.program.ConfigFile;
import io.cordwood.dist.program.Programs;
import io.cordwood.dist.program.QuickCommand;
import io.cordwood.dist.program.QuickStart;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** A command that runs a node. */
interface NodeCommand extends QuickCommand {
  /** The flags that all nodes have. */
  ServerFlags server();

  /**
   * Looks at all flags as a node does when it starts, and starts nothing.
   *
   * @throws CommandException if there is one that cannot be
   */
  void check();

  @Override
  default boolean asksNode() {
    return false;
  }

  /** There are none. A file of settings is left to picocli. */
  @Override
  default boolean takeArguments(List<String> arguments) {
    return arguments.isEmpty() && ConfigFile.isNone(server().config);
  }

  /** Runs one as a program of its own, and ends the process. */
  static void main(String name, Supplier<NodeCommand> command, String[] args) {
    OptionalInt quick = QuickStart.run(name, command.get(), args);
    if (quick.isPresent()) {
      System.exit(quick.getAsInt());
    }
    Programs.main(name, command.get(), args);
  }
}
