import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;

/**
 * How much heap does what is known of a bucket's objects take? Writes the names of OBJECTS in
 * FOLDER, as a node does, opens a reader on it, and prints the bytes of heap an object.
 */
final class ColdHeap {
  private static final long OBJECT_MILLIS = 8_640_000; // ten a day

  private ColdHeap() {}

  /** FOLDER OBJECTS */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    int objects = Integer.parseInt(args[1]);
    each(folder.resolve("first"), 1000); // Frees what the start of a program takes.
    System.out.printf("%d objects, %d bytes of heap each%n", objects, each(folder, objects));
  }

  private static long each(Path folder, int objects) throws IOException {
    Files.createDirectories(folder);
    write(folder.resolve("names"), objects);
    var registry = new SimpleMeterRegistry();
    String place = folder.resolve("bucket").toUri().toString();
    var options = new ColdReader.Options(folder, 1 << 30, 1000);
    try (Bucket bucket = BucketUrl.parse(place).open()) {
      long before = used();
      try (var reader =
          new ColdReader(bucket, options, InstantSource.system(), System::nanoTime, registry)) {
        return (used() - before) / reader.catalogue().size();
      }
    }
  }

  private static void write(Path file, int objects) throws IOException {
    var random = new SplittableRandom(1);
    long start = Instant.parse("2020-01-01T00:00:00Z").toEpochMilli();
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < objects; i++) {
        long from = start + i * OBJECT_MILLIS;
        var range = new UlidRange(Ulid.firstOf(from), Ulid.lastOf(from + OBJECT_MILLIS - 1));
        String hash =
            "%016x%016x%032x".formatted(random.nextLong(), random.nextLong(), random.nextLong());
        ColdName name = ColdName.of(ColdName.USUAL_CLASS, range, 1_000_000 + i, hash);
        out.write(name.key() + " " + (100_000_000 + i) + " " + from + "\n");
      }
    }
  }

  private static long used() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
