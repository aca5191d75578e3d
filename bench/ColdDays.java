import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentSettler;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.StoreSegmentWriter;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills a bucket: one object for each day before today, of the lines of a corpus, which goes on
 * from day to day and begins again at its end. The day in the middle has one more line: {@code the
 * needle of bench/cold}. Prints days, bytes of lines, of objects and of their tails.
 */
final class ColdDays {
  private static final int BATCH_BYTES = 320 << 10;
  private static final long DAY_MILLIS = 86_400_000;
  private static final String NEEDLE = "the needle of bench/cold\n";

  private final RandomAccessFile corpus;
  private final int bytesADay;
  private byte[] rest = new byte[0];

  private ColdDays(Path corpus, int bytesADay) throws IOException {
    this.corpus = new RandomAccessFile(corpus.toFile(), "r");
    this.bytesADay = bytesADay;
  }

  /** PLACE CORPUS DAYS BYTES-A-DAY FOLDER */
  public static void main(String[] args) throws IOException {
    int days = Integer.parseInt(args[2]);
    var lines = new ColdDays(Path.of(args[1]), Integer.parseInt(args[3]));
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    long raw = 0;
    long stored = 0;
    long tails = 0;
    try (Bucket bucket = BucketUrl.parse(args[0]).open()) {
      for (int i = 0; i < days; i++) {
        List<Batch> batches = lines.day(today.minusDays(days - i), i == days / 2);
        Path file = settled(batches, Path.of(args[4]));
        ColdObject put = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
        raw += batches.stream().mapToLong(it -> it.payload().remaining()).sum();
        stored += put.bytes();
        tails += put.name().tailBytes();
      }
    }
    System.out.println(days + " " + raw + " " + stored + " " + tails);
  }

  private List<Batch> day(LocalDate day, boolean withNeedle) throws IOException {
    int count = Math.max(1, bytesADay / BATCH_BYTES);
    long start = day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] lines = next();
      if (withNeedle && i == count / 2) {
        byte[] needle = NEEDLE.getBytes(StandardCharsets.US_ASCII);
        byte[] longer = new byte[lines.length + needle.length];
        System.arraycopy(lines, 0, longer, 0, lines.length);
        System.arraycopy(needle, 0, longer, lines.length, needle.length);
        lines = longer;
      }
      Ulid first = Ulid.firstOf(start + i * (DAY_MILLIS / count));
      batches.add(
          new Batch(Topic.DEFAULT, Delimiter.LF, first, count(lines), ByteBuffer.wrap(lines)));
    }
    return batches;
  }

  /** Whole lines. */
  private byte[] next() throws IOException {
    byte[] read = new byte[BATCH_BYTES];
    System.arraycopy(rest, 0, read, 0, rest.length);
    int length = rest.length;
    while (length < read.length) {
      int n = corpus.read(read, length, read.length - length);
      if (n < 0) {
        corpus.seek(0);
      } else {
        length += n;
      }
    }
    int end = length;
    while (end > 0 && read[end - 1] != '\n') {
      end--;
    }
    if (end == 0) {
      throw new IOException("expected lines of at most " + BATCH_BYTES + " bytes");
    }
    rest = java.util.Arrays.copyOfRange(read, end, length);
    return java.util.Arrays.copyOf(read, end);
  }

  private static int count(byte[] lines) {
    int count = 0;
    for (byte each : lines) {
      count += each == '\n' ? 1 : 0;
    }
    return count;
  }

  private static Path settled(List<Batch> batches, Path folder) throws IOException {
    Path first = folder.resolve("first");
    Path settled = folder.resolve("settled");
    Files.deleteIfExists(first);
    Files.deleteIfExists(settled);
    try (var target = Filesystem.real().create(first);
        var writer = new StoreSegmentWriter(target)) {
      for (Batch batch : batches) {
        writer.append(batch);
      }
      writer.finish();
    }
    StoreSegment source = StoreSegment.open(Filesystem.real().open(first));
    try (var target = Filesystem.real().create(settled);
        var settler = new SegmentSettler(source, target)) {
      while (settler.step() > 0) {
        // Each step is a block.
      }
    } finally {
      source.release();
    }
    return settled;
  }
}
