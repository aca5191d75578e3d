package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Seeded records and batches of every awkward kind. The seed is in the message of whatever fails.
 */
public final class Records {
  private static final int LARGE_BYTES = 70_000;

  private final SplittableRandom random;
  private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);
  private final List<UlidStamper> senders = new ArrayList<>();

  public Records(long seed) {
    this.random = new SplittableRandom(seed);
    InstantSource clock = () -> java.time.Instant.ofEpochMilli(millis.get());
    for (int i = 0; i < 3; i++) {
      senders.add(new UlidStamper(clock));
    }
  }

  /**
   * A record that a delimiter can end: empty, 1 byte, lines, CR LF, invalid UTF-8, any bytes, now
   * and then a large one.
   */
  public byte[] record(Delimiter delimiter) {
    byte[] bytes =
        switch (random.nextInt(8)) {
          case 0 -> new byte[0];
          case 1 -> new byte[] {(byte) random.nextInt(256)};
          case 2 -> "GET /a?b=%20 200\r".getBytes(StandardCharsets.UTF_8);
          case 3 -> "java.lang.Error: x\n\tat y\n\tat z".getBytes(StandardCharsets.UTF_8);
          case 4 -> new byte[] {(byte) 0xFC, 'C', 'W', 'B', (byte) 0xC0, (byte) 0xFF};
          case 5 -> random(random.nextInt(20) == 0 ? LARGE_BYTES : 300);
          default ->
              ("line " + random.nextInt(1000) + " of some service")
                  .getBytes(StandardCharsets.UTF_8);
        };
    byte other = (byte) (delimiter.value() == 0 ? 1 : ' ');
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = bytes[i] == delimiter.value() ? other : bytes[i];
    }
    return bytes;
  }

  private byte[] random(int maxBytes) {
    byte[] bytes = new byte[random.nextInt(maxBytes)];
    random.nextBytes(bytes);
    return bytes;
  }

  /**
   * A batch of 1 to {@code maxRecords} records, stamped by one of a few senders; time goes on by a
   * few milliseconds.
   */
  public Batch batch(Topic topic, int maxRecords) {
    millis.addAndGet(random.nextInt(5));
    Delimiter delimiter = random.nextInt(4) == 0 ? Delimiter.NUL : Delimiter.LF;
    List<byte[]> records = new ArrayList<>();
    int count = 1 + random.nextInt(maxRecords);
    for (int i = 0; i < count; i++) {
      records.add(record(delimiter));
    }
    Ulid first = senders.get(random.nextInt(senders.size())).stamp(count);
    return batch(topic, delimiter, first, records);
  }

  /** Batches of up to so many records, each third one of the topic {@code other}. */
  public List<Batch> batches(int count, int maxRecords) {
    return new ArrayList<>(IntStream.range(0, count).mapToObj(i -> oneOf(i, maxRecords)).toList());
  }

  /** The same, from senders with labels. */
  public List<Batch> labelledBatches(int count, int maxRecords) {
    return new ArrayList<>(
        IntStream.range(0, count).mapToObj(i -> labelled(oneOf(i, maxRecords), labels())).toList());
  }

  private Batch oneOf(int i, int maxRecords) {
    return batch(i % 3 == 0 ? new Topic("other") : Topic.DEFAULT, maxRecords);
  }

  public static Batch batch(Topic topic, Delimiter delimiter, Ulid first, List<byte[]> records) {
    int bytes = records.stream().mapToInt(r -> r.length + 1).sum();
    var payload = ByteBuffer.allocate(bytes);
    records.forEach(r -> payload.put(r).put(delimiter.value()));
    return new Batch(topic, delimiter, first, records.size(), payload.flip());
  }

  /** The same batch from a sender with labels. */
  public static Batch labelled(Batch batch, Labels labels) {
    return new Batch(
        batch.topic(), labels, batch.delimiter(), batch.first(), batch.records(), batch.payload());
  }

  /** Random labels; a quarter of all sets is none, and many are alike. */
  public Labels labels() {
    if (random.nextInt(4) == 0) {
      return Labels.NONE;
    }
    var pairs = new HashMap<String, String>();
    int count = random.nextInt(20) == 0 ? Labels.MAX_PAIRS : 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String name = count > 3 ? "n" + i : List.of("pod", "host", "_x.y-1").get(random.nextInt(3));
      pairs.put(name, value());
    }
    return Labels.of(pairs);
  }

  private String value() {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> "größe\t\u202e=\r " + random.nextInt(3);
      case 2 -> "v".repeat(random.nextInt(100));
      default -> "web-" + random.nextInt(4);
    };
  }

  /** A batch of lines of UTF-8, in the default topic. */
  public static Batch lines(Ulid first, String... lines) {
    return lines(Topic.DEFAULT, first, lines);
  }

  /** A batch of lines of UTF-8. */
  public static Batch lines(Topic topic, Ulid first, String... lines) {
    return batch(
        topic,
        Delimiter.LF,
        first,
        Arrays.stream(lines).map(line -> line.getBytes(StandardCharsets.UTF_8)).toList());
  }

  /** Batches as they go over the wire, and stand in files. */
  public static byte[] wire(Batch... batches) {
    var all = new ByteArrayOutputStream();
    for (Batch batch : batches) {
      ByteBuffer encoded = batch.encode();
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      all.writeBytes(bytes);
    }
    return all.toByteArray();
  }

  /** A copy whose payload belongs to nobody else. */
  public static Batch copy(Batch batch) {
    var payload = ByteBuffer.allocate(batch.payload().remaining());
    payload.put(batch.payload().duplicate()).flip();
    return new Batch(
        batch.topic(), batch.labels(), batch.delimiter(), batch.first(), batch.records(), payload);
  }
}
