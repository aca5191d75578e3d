package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ConfigFile;
import io.cordwood.cli.program.QuickCommand;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;

/** A command that runs a node. */
abstract class NodeCommand implements QuickCommand {
  final String name;

  @Mixin final ServerFlags server = new ServerFlags();

  /**
   * @param name without that of the whole program
   */
  NodeCommand(String name) {
    this.name = name;
  }

  /**
   * Looks at all flags as a node does when it starts, and starts nothing.
   *
   * @throws CommandException if there is one that cannot be
   */
  abstract void check();

  final void logFlags() {
    Configuration.log(name, quickFlags(), System.getenv());
  }

  @Override
  public Set<String> flagsOfEnvironment() {
    return Set.of();
  }

  @Override
  public List<ConfigFile.Entry> settings() {
    return ConfigFile.orUsual(server.config).map(file -> file.of(name)).orElse(List.of());
  }
}
