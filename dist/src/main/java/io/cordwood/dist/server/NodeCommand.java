package io.cordwood.dist.server;

import io.cordwood.dist.program.CommandException;
import java.util.concurrent.Callable;

/** A command that runs a node. */
interface NodeCommand extends Callable<Integer> {
  /**
   * Looks at all flags as a node does when it starts, and starts nothing.
   *
   * @throws CommandException if there is one that cannot be
   */
  void check();
}
