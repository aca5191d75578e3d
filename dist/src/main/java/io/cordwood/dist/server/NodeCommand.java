package io.cordwood.dist.server;

import io.cordwood.dist.program.CommandException;
import io.cordwood.dist.program.ConfigFile;
import io.cordwood.dist.program.QuickCommand;
import java.util.List;
import java.util.Set;

/** A command that runs a node. */
interface NodeCommand extends QuickCommand {
  /** Its name, without that of the whole program. */
  String name();

  /** The flags that all nodes have. */
  ServerFlags server();

  /**
   * Looks at all flags as a node does when it starts, and starts nothing.
   *
   * @throws CommandException if there is one that cannot be
   */
  void check();

  @Override
  default Set<String> flagsOfEnvironment() {
    return Set.of();
  }

  @Override
  default List<ConfigFile.Entry> settings() {
    return ConfigFile.orUsual(server().config).map(file -> file.of(name())).orElse(List.of());
  }
}
