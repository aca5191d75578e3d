package io.cordwood.jmh.load;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.StoreSegmentWriter;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Measures what it costs stores to know what they hold, to compare themselves, and to fill one that
 * was wiped: stores in this process, with their API, over made-up lines.
 *
 * <pre>
 *   java -cp jmh/target/benchmarks.jar io.cordwood.jmh.load.RepairCost \
 *     --folder DIR [--gib 2] [--batch 16K] [--many DIR]
 * </pre>
 *
 * Prints a line for each figure: its name, and the number.
 *
 * <ol>
 *   <li>A store is started on {@code many}, a folder of {@link ManySegments}: the time until it has
 *       opened them, and until it knows its slices. Three times; the first one warms up.
 *   <li>Two stores hold the same, but for a batch that one lacks: bytes that both read from their
 *       files from their start until it is there too.
 *   <li>Three stores hold each batch twice, and one is wiped: processor time of all until what is
 *       missing is found, and then until it is there.
 * </ol>
 */
public final class RepairCost {
  private static final int SEGMENT_BYTES = 16 << 20;
  private static final long SLICE_MILLIS = 600_000;
  private static final int PAIRS = 3;

  private final Path folder;
  private final int batchBytes;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Path> segments = new ArrayList<>();
  private long lines;

  private RepairCost(Path folder, int batchBytes) {
    this.folder = folder;
    this.batchBytes = batchBytes;
  }

  /** Measures. */
  public static void main(String[] args) {
    try {
      Flags flags = Flags.parse(args, "folder", "gib", "batch", "many");
      Path folder = Files.createDirectories(flags.path("folder"));
      if (!flags.text("many", "").isEmpty()) {
        restart(flags.path("many"));
      }
      var cost = new RepairCost(folder, flags.bytes("batch", "16K"));
      cost.generate(flags.number("gib", 2));
      cost.oneBatch();
      cost.wiped();
      System.exit(0);
    } catch (IllegalArgumentException | IOException | InterruptedException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void figure(String name, double value) {
    System.out.printf("%s %.4f%n", name, value);
  }

  private static void restart(Path many) throws IOException, InterruptedException {
    for (int round = 0; round < 3; round++) {
      long started = System.nanoTime();
      try (var store = new MeasuredStore("many", many, List::of, new CountedReads())) {
        long open = System.nanoTime();
        store.awaitKnown();
        long known = System.nanoTime();
        if (round > 0) {
          figure("open-ms", (open - started) / 1e6);
          figure("known-ms", (known - started) / 1e6);
          figure("known-to-open", (double) (known - started) / (open - started));
        }
      }
    }
  }

  /** Segments of three to a slice, the newest an hour old. */
  private void generate(int gib) throws IOException {
    Path made = Files.createDirectories(folder.resolve("made"));
    int count = Math.toIntExact(((long) gib << 30) / SEGMENT_BYTES) / PAIRS * PAIRS;
    long slice = Instant.now().minus(Duration.ofHours(1)).toEpochMilli() / SLICE_MILLIS;
    for (int i = 0; i < count; i++) {
      List<Batch> batches = batches((slice - (count - i) / PAIRS) * SLICE_MILLIS);
      segments.add(write(made, batches));
      if (i == count / 2) {
        List<Batch> less = new ArrayList<>(batches);
        less.remove(batches.size() / 2);
        write(Files.createDirectories(folder.resolve("less")), less);
      }
    }
    figure("lines-bytes", lines);
    figure("files-bytes", bytes(made));
  }

  private List<Batch> batches(long millis) {
    List<Batch> batches = new ArrayList<>();
    long sender = random.nextLong() & 0xFFFF_FFFF_FFFFL;
    int each = SEGMENT_BYTES / batchBytes;
    long counter = 0;
    for (int i = 0; i < each; i++) {
      var text = new StringBuilder();
      int records = 0;
      while (text.length() < batchBytes) {
        text.append("2026-11-27T08:00:00Z INFO shop request id=");
        text.append(Integer.toHexString(random.nextInt())).append(" user=u");
        text.append(random.nextInt(100_000)).append(" path=/cart/").append(random.nextInt(50));
        text.append(" took ").append(random.nextInt(900)).append(" ms\n");
        records++;
      }
      long at = millis + SLICE_MILLIS * i / each;
      var first = new Ulid(at << 16 | sender >>> 32, sender << 32 | counter);
      counter += records;
      ByteBuffer payload = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
      lines += payload.remaining();
      batches.add(new Batch(Topic.DEFAULT, Delimiter.LF, first, records, payload));
    }
    return batches;
  }

  private static Path write(Path into, List<Batch> batches) throws IOException {
    Path unnamed = into.resolve("unnamed");
    try (FileChannel file =
            FileChannel.open(unnamed, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var writer = new StoreSegmentWriter(file)) {
      for (Batch batch : batches) {
        writer.append(batch);
      }
      writer.finish();
    }
    UlidRange range = batches.stream().map(Batch::range).reduce(UlidRange::union).orElseThrow();
    return Files.move(unnamed, into.resolve(range + ".flushed"));
  }

  private static long bytes(Path folder) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** A folder with links to some segments: they never change. */
  private Path linked(String name, List<Path> some) throws IOException {
    Path linked = Files.createDirectories(folder.resolve(name));
    for (Path segment : some) {
      Files.createLink(linked.resolve(segment.getFileName()), segment);
    }
    return linked;
  }

  private void oneBatch() throws IOException, InterruptedException {
    Path less;
    try (Stream<Path> files = Files.list(folder.resolve("less"))) {
      less = files.findFirst().orElseThrow();
    }
    List<Path> others = new ArrayList<>(segments);
    others.set(segments.size() / 2, less);
    var reads = new CountedReads();
    var stores = new CopyOnWriteArrayList<MeasuredStore>();
    try {
      stores.add(new MeasuredStore("a", linked("a", segments), () -> stores, reads));
      stores.add(new MeasuredStore("b", linked("b", others), () -> stores, reads));
      long opened = reads.bytes();
      stores.getFirst().awaitCopied(1);
      long compared = reads.bytes() - opened;
      figure("one-batch-bytes", compared);
      figure("one-batch-percent", 100.0 * compared / (bytes(folder.resolve("made")) * 2));
    } finally {
      close(stores);
    }
  }

  private void wiped() throws IOException, InterruptedException {
    List<String> names = List.of("x", "y", "z");
    List<List<Path>> held = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < segments.size(); i++) {
      held.get(i % PAIRS).add(segments.get(i));
      held.get((i + 1) % PAIRS).add(segments.get(i));
    }
    held.get(2).clear();
    var stores = new CopyOnWriteArrayList<MeasuredStore>();
    try {
      for (int i = 0; i < PAIRS; i++) {
        Path data = linked(names.get(i), held.get(i));
        stores.add(new MeasuredStore(names.get(i), data, () -> stores, new CountedReads()));
      }
      long missing = (long) SEGMENT_BYTES / batchBytes * (segments.size() / PAIRS * 2L);
      int slices = segments.size() / PAIRS;
      stores.getFirst().awaitComparing();
      long idle = MeasuredStore.cpuNanos();
      stores.get(0).awaitCompared(slices);
      stores.get(1).awaitCompared(slices);
      long compared = MeasuredStore.cpuNanos();
      while (stores.get(0).copied() + stores.get(1).copied() < missing) {
        Thread.sleep(50);
      }
      long copied = MeasuredStore.cpuNanos();
      figure("compare-cpu-ms", (compared - idle) / 1e6);
      figure("copy-cpu-ms", (copied - compared) / 1e6);
      figure("compare-percent", 100.0 * (compared - idle) / (copied - compared));
    } finally {
      close(stores);
    }
  }

  private static void close(List<MeasuredStore> stores) throws IOException {
    for (MeasuredStore store : stores) {
      store.close();
    }
  }
}
