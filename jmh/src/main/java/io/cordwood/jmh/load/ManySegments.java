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

/**
 * Fills the folder of a store with many valid segments of few bytes: as many files, blocks and
 * filters as a large store has, without its records. A block is of one topic and has one batch of a
 * few lines.
 *
 * <pre>
 *   java -cp jmh/target/benchmarks.jar io.cordwood.jmh.load.ManySegments \
 *     --folder DIR [--segments 100000] [--blocks 50] [--span 144h]
 * </pre>
 *
 * The segments follow each other, over a time that ends now.
 */
public final class ManySegments {
  private static final int LINES = 3;

  private final Path folder;
  private final List<Topic> topics = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);

  private ManySegments(Path folder, int blocks) {
    this.folder = folder;
    for (int i = 0; i < blocks; i++) {
      topics.add(new Topic("topic-%05d".formatted(i)));
    }
  }

  /** Writes, and prints how much. */
  public static void main(String[] args) {
    try {
      Flags flags = Flags.parse(args, "folder", "segments", "blocks", "span");
      Path folder = Files.createDirectories(flags.path("folder"));
      int segments = flags.number("segments", 100_000);
      Duration span = flags.duration("span", "144h");
      var many = new ManySegments(folder, flags.number("blocks", 50));
      long bytes = 0;
      for (int i = 0; i < segments; i++) {
        Duration age = span.multipliedBy(segments - i).dividedBy(segments);
        bytes += many.write(Instant.now().minus(age).toEpochMilli());
      }
      System.out.printf("%d segments, %d bytes%n", segments, bytes);
    } catch (IllegalArgumentException | IOException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(1);
    }
  }

  private long write(long millis) throws IOException {
    Path unnamed = folder.resolve("unnamed");
    List<Batch> batches = topics.stream().map(topic -> batch(topic, millis)).toList();
    long bytes;
    try (FileChannel file =
            FileChannel.open(unnamed, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var writer = new StoreSegmentWriter(file)) {
      for (Batch batch : batches) {
        writer.append(batch);
      }
      writer.finish();
      bytes = file.size();
    }
    UlidRange range = batches.stream().map(Batch::range).reduce(UlidRange::union).orElseThrow();
    Files.move(unnamed, folder.resolve(range + ".flushed"));
    return bytes;
  }

  private Batch batch(Topic topic, long millis) {
    var lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines.append("INFO request %08x took %d ms%n".formatted(random.nextInt(), i));
    }
    ByteBuffer payload = ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.US_ASCII));
    Ulid first = new Ulid(Ulid.firstOf(millis).high() | random.nextInt(1 << 16), random.nextLong());
    return new Batch(topic, Delimiter.LF, first, LINES, payload);
  }
}
