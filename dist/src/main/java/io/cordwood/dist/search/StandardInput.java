package io.cordwood.dist.search;

import java.io.IOException;

/** What is piped into a command that asks a node, and does not read it. */
final class StandardInput {
  private StandardInput() {}

  /**
   * Says that it is not searched, if something waits there. Somebody may have expected that; who
   * calls the command in a loop over lines, or from cron, has not.
   */
  static void sayIfUnread(String command) {
    if (isWaiting()) {
      System.err.println(
          command
              + ": a node was asked; what waits at standard input is searched if FILE is -, as in"
              + " '… | cordwood grep PATTERN -'");
    }
  }

  private static boolean isWaiting() {
    try {
      return System.in.available() > 0;
    } catch (IOException e) {
      return false; // It is closed.
    }
  }
}
