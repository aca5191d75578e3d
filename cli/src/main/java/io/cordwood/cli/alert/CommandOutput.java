package io.cordwood.cli.alert;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Passes on what a command prints, up to {@link #MAX_BYTES}: a node's own output may be a file that
 * it would fill. The rest is read and dropped, so that the command does not wait. Has a thread of
 * its own until the command, and all that it has started, closes its output.
 */
final class CommandOutput {
  static final int MAX_BYTES = 64 << 10;

  private static final int BUFFER_BYTES = 8 << 10;
  private static final int MAX_LINE = 200;

  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();
  private final Thread thread;

  private CommandOutput(InputStream from, PrintStream to) {
    this.thread = Thread.ofPlatform().daemon().name("alert-output").start(() -> copy(from, to));
  }

  /** Begins to pass it on. */
  static CommandOutput pass(InputStream from, PrintStream to) {
    return new CommandOutput(from, to);
  }

  private void copy(InputStream from, PrintStream to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    int room = MAX_BYTES;
    boolean isCut = false;
    try (from) {
      for (int read; (read = from.read(buffer)) >= 0; ) {
        int taken = Math.min(read, room);
        to.write(buffer, 0, taken);
        to.flush();
        synchronized (passed) {
          passed.write(buffer, 0, taken);
        }
        if (taken < read && !isCut) {
          isCut = true;
          to.println("\n(the command printed more than 64 KiB; the rest is dropped)");
        }
        room -= taken;
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  /**
   * The last line that is not blank, cut, and without control characters; empty if there is none.
   *
   * @param patience for the end of the output, which may not come before a child's
   */
  String lastLine(Duration patience) throws InterruptedException {
    boolean _ = thread.join(patience);
    String text;
    synchronized (passed) {
      text = passed.toString(StandardCharsets.UTF_8);
    }
    List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
    String last = lines.isEmpty() ? "" : lines.getLast().strip().replaceAll("\\p{Cntrl}", " ");
    return last.length() <= MAX_LINE ? last : last.substring(0, MAX_LINE) + "…";
  }
}
