package io.cordwood.jmh.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;

/**
 * Measures the disk by the plainest program that forces: it writes lines to the end of a file, a
 * group at a time, and forces each.
 *
 * <pre>
 *   java -cp jmh/target/benchmarks.jar io.cordwood.jmh.load.ForcedWrites \
 *     --corpus FILE --folder FOLDER [--group 16K] [--warm-up 1s] [--time 2s]
 * </pre>
 *
 * Prints throughput, and the time of the forces alone. The file is begun anew at 1 GiB, and deleted
 * at the end.
 */
public final class ForcedWrites {
  private static final long MAX_FILE_BYTES = 1L << 30;

  private final Groups groups;
  private final Path file;
  private final Histogram forces = new Histogram(3);
  private int next;
  private long bytes;

  private ForcedWrites(Groups groups, Path file) {
    this.groups = groups;
    this.file = file;
  }

  /** Writes, and prints the figures. */
  public static void main(String[] args) throws IOException {
    Flags flags = Flags.parse(args, "corpus", "folder", "group", "warm-up", "time");
    Groups groups = Groups.of(flags.path("corpus"), flags.bytes("group", "16K"));
    var writes = new ForcedWrites(groups, Files.createTempFile(flags.path("folder"), "forced", ""));
    try {
      writes.run(flags.duration("warm-up", "1s").toNanos());
      writes.forces.reset();
      writes.bytes = 0;
      long start = System.nanoTime();
      writes.run(flags.duration("time", "2s").toNanos());
      writes.report(System.nanoTime() - start);
    } finally {
      Files.delete(writes.file);
    }
  }

  private void run(long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      try (var channel =
          FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
        while (System.nanoTime() - end < 0 && channel.position() < MAX_FILE_BYTES) {
          write(channel);
        }
      }
    }
  }

  private void write(FileChannel channel) throws IOException {
    ByteBuffer group = groups.all().get(next).lines().duplicate();
    next = (next + 1) % groups.all().size();
    bytes += group.remaining();
    while (group.hasRemaining()) {
      channel.write(group);
    }
    long start = System.nanoTime();
    channel.force(false);
    forces.recordValue(System.nanoTime() - start);
  }

  private void report(long nanos) {
    System.out.printf("mb_per_s %.2f%n", bytes * 1e3 / nanos);
    System.out.printf("forces %d%n", forces.getTotalCount());
    System.out.printf("force_p50_ms %.3f%n", forces.getValueAtPercentile(50) / 1e6);
    System.out.printf("force_p99_ms %.3f%n", forces.getValueAtPercentile(99) / 1e6);
    System.out.printf("force_max_ms %.3f%n", forces.getMaxValue() / 1e6);
  }
}
