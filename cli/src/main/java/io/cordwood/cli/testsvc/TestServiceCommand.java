package io.cordwood.cli.testsvc;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.terminal.StandardOutput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/** {@code cordwood testsvc}: realistic log lines at a given rate, to try things with. */
public final class TestServiceCommand implements Command {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long TICK_NANOS = 10_000_000;

  /** The most lines written between two looks at the clock, when there is no rate. */
  private static final long BURST_LINES = 1024;

  private long linesPerSecond = 1000;

  private long count = Long.MAX_VALUE;

  private long lineBytes;

  private long seed = System.nanoTime();

  @Override
  public void list(FlagList list) {
    list.description("Write realistic log lines to standard output, at a given rate.");
    list.sorted();
    list.flag("--rate")
        .label("N")
        .help("Lines per second; 0 is as fast as they are taken. Default: ${DEFAULT-VALUE}.")
        .value(long.class, linesPerSecond, value -> linesPerSecond = value);
    list.flag("--count")
        .label("N")
        .help("End after this many lines. Default: go on until stopped.")
        .value(long.class, count, value -> count = value);
    list.flag("--size")
        .label("BYTES")
        .help("Bytes of each line, its line feed too, 64 to 1MiB. Default: as they come.")
        .size(lineBytes, value -> lineBytes = value);
    list.flag("--seed")
        .label("N")
        .help("The same seed gives the same lines, but for their times. Default: another one.")
        .value(long.class, seed, value -> seed = value);
  }

  @Override
  public Integer call() throws Exception {
    check();
    TestLines lines = new TestLines(seed, (int) lineBytes, InstantSource.system());
    try (OutputStream out = new BufferedOutputStream(new StandardOutput(), BUFFER_BYTES)) {
      emit(lines, out);
    } catch (StandardOutput.ClosedException e) {
      // The reader has enough.
    }
    return Programs.SUCCESS;
  }

  private void check() {
    if (linesPerSecond < 0 || count < 0) {
      throw new CommandException("--rate and --count: expected 0 or more");
    }
    if (lineBytes != 0 && (lineBytes < TestLines.MIN_BYTES || lineBytes > TestLines.MAX_BYTES)) {
      throw new CommandException(
          "--size: expected 64 to 1048576 bytes for a line, found " + lineBytes);
    }
  }

  private void emit(TestLines lines, OutputStream out) throws IOException {
    long start = System.nanoTime();
    long written = 0;
    while (written < count) {
      long due = Math.min(count, due(System.nanoTime() - start, written));
      for (; written < due; written++) {
        lines.writeNext(out);
      }
      if (linesPerSecond > 0) {
        out.flush();
        LockSupport.parkNanos(TICK_NANOS);
      }
    }
  }

  /** How many lines are to be written by now. */
  private long due(long elapsedNanos, long written) {
    return linesPerSecond == 0
        ? written + BURST_LINES
        : 1 + (long) (elapsedNanos / 1e9 * linesPerSecond);
  }
}
