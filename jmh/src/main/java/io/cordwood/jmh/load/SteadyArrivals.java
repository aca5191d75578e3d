package io.cordwood.jmh.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * The least that group commit can take on a disk: groups of lines come at a steady pace, out of
 * memory and to one thread, which writes and forces together all that has come, again and again.
 *
 * <pre>
 *   java -cp jmh/target/benchmarks.jar io.cordwood.jmh.load.SteadyArrivals \
 *     --corpus FILE --folder FOLDER --rate BYTES_A_SECOND [--group 16K] [--warm-up 1s] [--time 2s]
 * </pre>
 *
 * Prints how long a group waited, from when it came until it was forced, and the bytes of a force.
 * The file is begun anew at 1 GiB, and deleted at the end.
 */
public final class SteadyArrivals {
  private static final long MAX_FILE_BYTES = 1L << 30;

  private final Groups groups;
  private final long bytesPerSecond;
  private final FileChannel channel;
  private final Histogram waited = new Histogram(3);
  private long nextNanos = System.nanoTime();
  private int next;
  private long bytes;
  private long forces;

  private SteadyArrivals(Groups groups, long bytesPerSecond, FileChannel channel) {
    this.groups = groups;
    this.bytesPerSecond = bytesPerSecond;
    this.channel = channel;
  }

  /** Writes, and prints the figures. */
  public static void main(String[] args) throws IOException {
    Flags flags = Flags.parse(args, "corpus", "folder", "rate", "group", "warm-up", "time");
    Groups groups = Groups.of(flags.path("corpus"), flags.bytes("group", "16K"));
    Path file = Files.createTempFile(flags.path("folder"), "steady", "");
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      var arrivals = new SteadyArrivals(groups, flags.bytes("rate", "10M"), channel);
      arrivals.run(flags.duration("warm-up", "1s"));
      arrivals.forget();
      arrivals.run(flags.duration("time", "2s"));
      arrivals.report();
    } finally {
      Files.delete(file);
    }
  }

  private void run(Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      if (channel.position() > MAX_FILE_BYTES) {
        channel.truncate(0);
        nextNanos = System.nanoTime(); // Nobody waits for that.
      }
      forceWhatHasCome();
    }
  }

  private void forceWhatHasCome() throws IOException {
    while (System.nanoTime() - nextNanos < 0) {
      Thread.onSpinWait(); // Waking up is no part of the least.
    }
    long now = System.nanoTime();
    long first = nextNanos;
    int count = 0;
    for (; now - nextNanos >= 0; count++) {
      ByteBuffer group = groups.all().get((next + count) % groups.all().size()).lines().duplicate();
      nextNanos += pauseNanos(group.remaining());
      bytes += group.remaining();
      while (group.hasRemaining()) {
        channel.write(group);
      }
    }
    channel.force(false);
    forces++;
    record(first, count, System.nanoTime());
  }

  private void record(long first, int count, long forced) {
    long came = first;
    for (int i = 0; i < count; i++) {
      waited.recordValue(forced - came);
      came += pauseNanos(groups.all().get(next).lines().remaining());
      next = (next + 1) % groups.all().size();
    }
  }

  private long pauseNanos(int groupBytes) {
    return groupBytes * Duration.ofSeconds(1).toNanos() / bytesPerSecond;
  }

  private void forget() {
    waited.reset();
    bytes = 0;
    forces = 0;
  }

  private void report() {
    System.out.printf("force_bytes %d%n", bytes / Math.max(1, forces));
    System.out.printf("ack_p50_ms %.3f%n", waited.getValueAtPercentile(50) / 1e6);
    System.out.printf("ack_p99_ms %.3f%n", waited.getValueAtPercentile(99) / 1e6);
    System.out.printf("ack_max_ms %.3f%n", waited.getMaxValue() / 1e6);
  }
}
