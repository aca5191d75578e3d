package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;

/** The bounds of flags of all nodes: no class of one kind of node is needed to look. */
final class FlagBounds {
  private FlagBounds() {}

  /** Refuses a bound that lets nothing pass. */
  static void atLeastOne(String flag, long found) {
    if (found < 1) {
      throw new CommandException(flag + ": expected 1 or more, found " + found);
    }
  }
}
