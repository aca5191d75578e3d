package io.cordwood.cli.plan;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentSettler;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.StoreSegmentWriter;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.text.Sizes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The cost of a user's own lines: a segment is made of the first of them in a temporary folder, as
 * a store does it, and settled.
 *
 * @param bytes of the lines that were looked at
 * @param lineBytes of a line, its line feed included
 * @param firstSize bytes of the segment as it is written first, per byte of lines
 * @param settledSize the same once settled
 * @param buildCpu seconds of this machine's processor for a GB written first
 * @param settleCpu the same for settling
 */
record Corpus(
    long bytes,
    double lineBytes,
    double firstSize,
    double settledSize,
    double buildCpu,
    double settleCpu) {
  /** Below that a segment is mostly what it has beside its blocks. */
  static final int LEAST_BYTES = 1 << 20;

  private static final int MOST_BYTES = 64 << 20;
  private static final int BATCH_BYTES = 64 << 10;
  private static final int LONGEST_LINE = 1 << 20;
  private static final String ORIGIN = "corpus";

  /** Until then the JVM compiles what is measured. */
  private static final double WARM_SECONDS = 1;

  private static final int MOST_PASSES = 20;

  /**
   * Measures the lines of a file; takes some seconds.
   *
   * @throws CommandException if there are too few, or the file holds something else
   */
  static Corpus measure(Path file) throws IOException {
    byte[] lines = read(file);
    List<Batch> batches = batches(file, lines);
    Path folder = Files.createTempDirectory("cordwood-plan");
    Path segment = folder.resolve("segment");
    try {
      return measure(batches, segment);
    } finally {
      Files.deleteIfExists(segment);
      Files.delete(folder);
    }
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES);
      if (isPacked(bytes)) {
        throw new CommandException(
            "--corpus: " + file + ": expected lines, found a packed file; unpack it first");
      }
      if (bytes.length < LEAST_BYTES) {
        throw new CommandException(
            "--corpus: %s: expected at least %s of lines, found %s: too small to say"
                .formatted(file, Sizes.format(LEAST_BYTES), Sizes.format(bytes.length)));
      }
      return bytes;
    }
  }

  private static boolean isPacked(byte[] bytes) {
    if (bytes.length < 4) {
      return false;
    }
    int magic = ByteBuffer.wrap(bytes).getInt();
    return magic == 0x28B52FFD || magic >>> 16 == 0x1F8B;
  }

  /** Whole lines, together as they would come from one sender. */
  private static List<Batch> batches(Path file, byte[] bytes) {
    var stamper = new UlidStamper(InstantSource.system());
    List<Batch> batches = new ArrayList<>();
    int from = 0;
    int lines = 0;
    int end = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (at - end >= LONGEST_LINE) {
        throw new CommandException(
            "--corpus: %s: expected lines of at most %s, found a longer one at byte %d"
                .formatted(file, Sizes.format(LONGEST_LINE), end));
      }
      if (bytes[at] == '\n') {
        end = at + 1;
        lines++;
        if (end - from >= BATCH_BYTES) {
          batches.add(batch(bytes, from, end, stamper.stamp(lines), lines));
          from = end;
          lines = 0;
        }
      }
    }
    if (lines > 0) {
      batches.add(batch(bytes, from, end, stamper.stamp(lines), lines));
    }
    return batches;
  }

  private static Batch batch(byte[] bytes, int from, int to, Ulid first, int lines) {
    return new Batch(
        Topic.DEFAULT, Delimiter.LF, first, lines, ByteBuffer.wrap(bytes).slice(from, to - from));
  }

  private static Corpus measure(List<Batch> batches, Path file) throws IOException {
    StoreSegmentWriter.Summary summary;
    double building;
    double all = 0;
    int passes = 0;
    do {
      Files.deleteIfExists(file);
      double start = cpuSeconds();
      summary = write(batches, file);
      building = cpuSeconds() - start;
      all += building;
    } while (all < WARM_SECONDS && ++passes < MOST_PASSES);
    double start = cpuSeconds();
    long settled = settle(file);
    double settling = cpuSeconds() - start;
    double raw = summary.payloadBytes();
    return new Corpus(
        summary.payloadBytes(),
        raw / summary.records(),
        summary.fileBytes() / raw,
        settled / raw,
        building * 1e9 / raw,
        settling * 1e9 / raw);
  }

  private static StoreSegmentWriter.Summary write(List<Batch> batches, Path file)
      throws IOException {
    try (var target = Filesystem.real().create(file);
        var writer = new StoreSegmentWriter(target)) {
      for (Batch batch : batches) {
        writer.append(batch);
      }
      return writer.finish();
    }
  }

  /** Bytes of the settled form, which nobody keeps. */
  private static long settle(Path file) throws IOException {
    StoreSegment source = StoreSegment.open(Filesystem.real().open(file));
    var target = new Nowhere();
    try (var settler = new SegmentSettler(source, target)) {
      while (settler.step() > 0) {
        // Each step is a block.
      }
    } finally {
      source.release();
    }
    return target.bytes;
  }

  private static final class Nowhere implements WritableByteChannel {
    private long bytes;

    @Override
    public int write(ByteBuffer source) {
      int count = source.remaining();
      source.position(source.limit());
      bytes += count;
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private static double cpuSeconds() {
    var threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported()
        ? threads.getCurrentThreadCpuTime() / 1e9
        : System.nanoTime() / 1e9;
  }

  /** Parameters with what was measured here. */
  Parameters addTo(Parameters before) {
    double more = buildCpu - before.of(Parameter.BUILD_CPU);
    double write = Math.max(buildCpu, before.of(Parameter.WRITE_CPU) + more);
    double rewrite = Math.max(buildCpu, before.of(Parameter.REWRITE_CPU) + more);
    return before
        .with(Parameter.FIRST_SIZE, firstSize, ORIGIN)
        .with(Parameter.SETTLED_SIZE, settledSize, ORIGIN)
        .with(Parameter.LINE_SIZE, lineBytes, ORIGIN)
        .with(Parameter.BUILD_CPU, buildCpu, ORIGIN)
        .with(Parameter.WRITE_CPU, write, ORIGIN)
        .with(Parameter.REWRITE_CPU, rewrite, ORIGIN)
        .with(Parameter.SETTLE_CPU, settleCpu, ORIGIN);
  }
}
