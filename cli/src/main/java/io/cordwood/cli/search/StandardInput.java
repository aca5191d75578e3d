package io.cordwood.cli.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Input piped into a command that asks a node, and does not read it. */
final class StandardInput {
  private StandardInput() {}

  /**
   * Says that it is not searched, if it is a pipe, or something waits there. Somebody may have
   * expected that; who calls the command in a loop over lines, or from cron, has not.
   */
  static void sayIfUnread(String command) {
    if (isPipe() || isWaiting()) {
      System.err.println(
          command
              + ": a node was asked; standard input is searched if FILE is -, as in"
              + " '… | cordwood grep PATTERN -'");
    }
  }

  private static boolean isPipe() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString().startsWith("pipe:");
    } catch (IOException | UnsupportedOperationException e) {
      return false; // It is closed, or no /proc is here.
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
