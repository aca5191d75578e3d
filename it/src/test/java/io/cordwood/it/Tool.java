package io.cordwood.it;

import io.cordwood.common.testing.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a command of the operating system to its end. */
final class Tool {
  /** An image takes minutes to build while other tests keep the machine busy. */
  private static final long LONGEST_SECONDS = 5 * Patience.LONG.toSeconds();

  private Tool() {}

  /**
   * What it printed.
   *
   * @throws IOException if it cannot be started, fails, or does not end
   */
  static String run(String... command) throws IOException {
    Path out = Files.createTempFile("tool", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      if (!endsInTime(process)) {
        throw new IOException(List.of(command) + " did not end in " + LONGEST_SECONDS + " s");
      }
      String printed = Files.readString(out, StandardCharsets.ISO_8859_1);
      if (process.exitValue() != 0) {
        throw new IOException(List.of(command) + ": " + process.exitValue() + ", " + printed);
      }
      return printed;
    } finally {
      Files.delete(out);
    }
  }

  private static boolean endsInTime(Process process) {
    try {
      boolean ended = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Whether {@code script} can make a terminal; if not, says that what is on one is not tested. */
  static boolean hasScript() throws IOException {
    try {
      return run("script", "-qec", "true", "/dev/null").isEmpty();
    } catch (IOException e) {
      Skipped.say("what is shown on a terminal", "no script(1): " + e.getMessage());
      return false;
    }
  }
}
