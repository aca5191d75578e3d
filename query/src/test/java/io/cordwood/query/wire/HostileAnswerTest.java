package io.cordwood.query.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.segment.Varints;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.Topics;
import io.cordwood.query.result.AnswerFormatException;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.wire.AnswerFrame.Hits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node whose frames have the right checksums, and lie. */
final class HostileAnswerTest {
  private static final Ulid FIRST = Ulid.firstOf(1_700_000_000_000L);
  private static final Ulid LATER = Ulid.firstOf(1_700_000_000_001L);
  private static final Ulid TOO_LATE = Ulid.firstOf(1_800_000_000_000L);
  private static final int ROUNDS = 20_000;

  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();

  private static Query query(Detail detail) {
    var range = new UlidRange(Ulid.MIN, Ulid.firstOf(1_750_000_000_000L));
    return Query.everything(range, Topics.parse(List.of("app")), detail);
  }

  private void begin(Detail detail) {
    answer.reset();
    put(answer, bytes -> bytes.putInt(AnswerFrame.MAGIC).put((byte) AnswerFrame.VERSION));
    frame(AnswerFrame.HEAD, bytes -> bytes.put(AnswerFrame.code(detail)).putLong(-1));
  }

  private static void put(ByteArrayOutputStream out, Consumer<ByteBuffer> what) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 10);
    what.accept(bytes);
    out.write(bytes.array(), 0, bytes.position());
  }

  private void frame(byte kind, Consumer<ByteBuffer> payload) {
    var bytes = new ByteArrayOutputStream();
    put(bytes, payload);
    frame(kind, bytes.toByteArray());
  }

  private void frame(byte kind, byte[] payload) {
    var checksum = new CRC32C();
    checksum.update(kind);
    checksum.update(payload);
    put(answer, head -> head.put(kind).putInt(payload.length).putInt((int) checksum.getValue()));
    answer.writeBytes(payload);
  }

  private static void ulid(ByteBuffer bytes, Ulid ulid) {
    ulid.put(bytes, bytes.position());
    bytes.position(bytes.position() + Ulid.BYTES);
  }

  private static void topicAndFirst(ByteBuffer bytes, String topic, Ulid first) {
    bytes.put((byte) topic.length()).put(topic.getBytes(US_ASCII));
    ulid(bytes, first);
  }

  /** A frame of records of one byte and a LF each. */
  private void hits(String topic, Ulid first, int records) {
    frame(
        AnswerFrame.HITS,
        bytes -> {
          topicAndFirst(bytes, topic, first);
          Varints.put(bytes, records);
          for (int i = 0; i < records; i++) {
            Varints.put(bytes, 2);
          }
          for (int i = 0; i < records; i++) {
            bytes.put((byte) 'x').put((byte) '\n');
          }
        });
  }

  private AnswerReader reader(Detail detail) throws IOException {
    var reader =
        new AnswerReader(
            new ByteArrayInputStream(answer.toByteArray()), query(detail), Duration.ofMinutes(1));
    reader.head();
    return reader;
  }

  private void assertRefused(Detail detail, String why) throws IOException {
    AnswerReader reader = reader(detail);
    assertThatExceptionOfType(AnswerFormatException.class)
        .as(why)
        .isThrownBy(reader::next)
        .withMessageStartingWith("expected a node's part of an answer, found ");
  }

  private void refuse(Detail detail, String why, Consumer<ByteBuffer> afterFirst)
      throws IOException {
    begin(detail);
    frame(
        AnswerFrame.HITS,
        bytes -> {
          topicAndFirst(bytes, "app", FIRST);
          afterFirst.accept(bytes);
        });
    assertRefused(detail, why);
  }

  @Test
  void recordsThatCannotBeAreRefused() throws IOException {
    refuse(Detail.BYTES, "no records", bytes -> Varints.put(bytes, 0));
    refuse(Detail.COUNT, "no records", bytes -> Varints.put(bytes, 0));
    refuse(Detail.BYTES, "more records than bytes", bytes -> Varints.put(bytes, 1_000_000));
    refuse(Detail.COUNT, "more than a frame", bytes -> Varints.put(bytes, Integer.MAX_VALUE));
    refuse(Detail.COUNT, "a number that never ends", bytes -> bytes.put(new byte[20]));
    refuse(
        Detail.BYTES,
        "a number of eleven bytes",
        bytes -> {
          byte[] endless = new byte[11];
          Arrays.fill(endless, (byte) 0xFF);
          bytes.put(endless);
        });
    refuse(
        Detail.BYTES,
        "a record of no bytes",
        bytes -> bytes.put((byte) 1).put((byte) 0).put((byte) '\n'));
    refuse(
        Detail.BYTES,
        "a record that does not end",
        bytes -> bytes.put((byte) 1).put((byte) 2).put((byte) 'x').put((byte) 'y'));
    refuse(
        Detail.BYTES,
        "more bytes than lengths",
        bytes -> bytes.put((byte) 1).put((byte) 1).put((byte) '\n').put((byte) '\n'));
    refuse(
        Detail.ULIDS,
        "two records at one place",
        bytes -> bytes.put(new byte[] {2, 3, 1, 0, 1, '\n', '\n'}));
    refuse(
        Detail.ULIDS,
        "a place beyond all numbers",
        bytes -> {
          bytes.put((byte) 2);
          Varints.put(bytes, Integer.MAX_VALUE);
          bytes.put((byte) 1);
          Varints.put(bytes, Integer.MAX_VALUE);
          bytes.put(new byte[] {1, '\n', '\n'});
        });
  }

  @Test
  void batchesThatWereNotAskedForAreRefused() throws IOException {
    assertHitsRefused("web", FIRST, "another topic");
    assertHitsRefused("", FIRST, "the topic of no frame before");
    assertHitsRefused("../app", FIRST, "no topic");
    assertHitsRefused("app", TOO_LATE, "after the range");
  }

  private void assertHitsRefused(String topic, Ulid first, String why) throws IOException {
    begin(Detail.BYTES);
    hits(topic, first, 1);
    assertRefused(Detail.BYTES, why);
  }

  @Test
  void stepsBackAreRefused() throws IOException {
    for (Ulid second : List.of(FIRST, Ulid.MIN)) {
      begin(Detail.BYTES);
      hits("app", FIRST, 1);
      hits("app", second, 1);
      AnswerReader reader = reader(Detail.BYTES);
      assertThat(reader.next()).isInstanceOf(Hits.class);
      assertThatThrownBy(reader::next).hasMessageEndingWith("a batch out of order");
    }
    begin(Detail.BYTES);
    frame(AnswerFrame.PASSED, bytes -> ulid(bytes, LATER));
    frame(AnswerFrame.PASSED, bytes -> ulid(bytes, FIRST));
    AnswerReader reader = reader(Detail.BYTES);
    reader.next();
    assertThatThrownBy(reader::next).hasMessageEndingWith("a step back");
  }

  @Test
  void framesThatDoNotBelongThereAreRefused() throws IOException {
    begin(Detail.BYTES);
    frame(AnswerFrame.MISSED, bytes -> bytes.putLong(1));
    assertRefused(Detail.BYTES, "missed records of a node that is not followed");
    begin(Detail.BYTES);
    frame(AnswerFrame.END, bytes -> bytes.put(new byte[AnswerFrame.STATISTICS * 8 + 1]));
    assertRefused(Detail.BYTES, "a byte too many");
    begin(Detail.BYTES);
    frame(
        AnswerFrame.END, bytes -> bytes.put(new byte[AnswerFrame.STATISTICS * 8 - 8]).putLong(-1));
    assertRefused(Detail.BYTES, "a negative number");
    begin(Detail.BYTES);
    frame((byte) 99, new byte[8]);
    assertRefused(Detail.BYTES, "a kind of no version");
    begin(Detail.BYTES);
    frame(
        AnswerFrame.STOPPED,
        bytes -> bytes.put((byte) 'T').putLong(1).putLong(0).putLong(0).putLong(0));
    assertRefused(Detail.BYTES, "a range that ends before it begins");
  }

  @Test
  void nothingMayComeAfterTheEnd() throws IOException {
    begin(Detail.BYTES);
    frame(AnswerFrame.END, bytes -> bytes.put(new byte[AnswerFrame.STATISTICS * 8]));
    hits("app", FIRST, 1);
    AnswerReader reader = reader(Detail.BYTES);
    reader.next();
    assertThatExceptionOfType(AnswerFormatException.class).isThrownBy(reader::awaitEnd);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, AnswerFrame.MAX_PAYLOAD_BYTES + 1, Integer.MAX_VALUE})
  void lengthsThatCannotBeAreRefusedBeforeMemoryIsTaken(int length) throws IOException {
    begin(Detail.BYTES);
    put(answer, head -> head.put(AnswerFrame.HITS).putInt(length).putInt(0));
    assertRefused(Detail.BYTES, "a length of " + length);
  }

  @Test
  void aFrameThatIsAnnouncedAndDoesNotComeIsTheEnd() throws IOException {
    begin(Detail.BYTES);
    put(answer, head -> head.put(AnswerFrame.HITS).putInt(AnswerFrame.MAX_PAYLOAD_BYTES).putInt(0));
    AnswerReader reader = reader(Detail.BYTES);
    assertThatExceptionOfType(EOFException.class).isThrownBy(reader::next);
  }

  /** Whatever a frame holds, it is refused in words, or it can be used without a surprise. */
  @ParameterizedTest
  @EnumSource(
      value = Detail.class,
      names = {"COUNT", "BYTES", "ULIDS", "TOPICS"})
  void randomFramesAreRefusedOrUsable(Detail detail) throws IOException {
    var random = new SplittableRandom(26);
    int usable = 0;
    for (int round = 0; round < ROUNDS; round++) {
      begin(detail);
      byte[] payload = randomPayload(random);
      frame((byte) (1 + random.nextInt(8)), payload);
      AnswerReader reader = reader(detail);
      try {
        usable += use(reader.next()) ? 1 : 0;
      } catch (AnswerFormatException e) {
        assertThat(e).as("round %d", round).hasMessageStartingWith("expected ");
      }
    }
    assertThat(usable).isPositive();
  }

  /** Half of them begin as hits do. */
  private static byte[] randomPayload(SplittableRandom random) {
    byte[] payload = new byte[random.nextInt(60)];
    random.nextBytes(payload);
    if (random.nextBoolean()) {
      ByteBuffer hits = ByteBuffer.allocate(60);
      topicAndFirst(hits, "app", FIRST);
      for (int i = random.nextInt(8); i >= 0; i--) {
        hits.put((byte) random.nextInt(4));
      }
      for (int i = random.nextInt(8); i >= 0; i--) {
        hits.put((byte) (random.nextBoolean() ? '\n' : 'x'));
      }
      payload = Arrays.copyOf(hits.array(), hits.position());
    }
    return payload;
  }

  private static boolean use(AnswerFrame frame) {
    if (!(frame instanceof Hits(BlockHits hits, BlockHits.Group group))) {
      return true;
    }
    for (int hit = group.from(); hit < group.to() && hits.bytes(group) > 0; hit++) {
      assertThat(hits.record(hit).remaining()).isNotNegative();
    }
    return true;
  }
}
