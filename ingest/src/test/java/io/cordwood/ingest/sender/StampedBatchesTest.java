package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches from a socket are stored as they are, or refused with a reason. */
class StampedBatchesTest {
  private static final Topic TOPIC = new Topic("shop");

  @TempDir Path folder;
  private final UlidStamper stamper = new UlidStamper(InstantSource.system());
  private RunningNode node;

  @BeforeEach
  void start() throws IOException {
    node = RunningNode.in(folder);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private Batch batch(String... records) {
    List<byte[]> bytes =
        Arrays.stream(records).map(r -> r.getBytes(StandardCharsets.UTF_8)).toList();
    return Records.batch(TOPIC, Delimiter.NUL, stamper.stamp(records.length), bytes);
  }

  @Test
  void batchesAreStoredAsTheyAreAndAcknowledged() throws IOException {
    Batch first = batch("one", "two\nlines");
    Batch second = batch("three");
    String answer = node.send(Records.wire(first, second));
    assertThat(answer).endsWith("ack 3\n").matches("(ack \\d\n)+");
    assertThat(node.consume(3)).containsExactly(first, second);
  }

  @Test
  void acksAreCumulativeAndRight() throws IOException {
    try (Socket socket = node.connect()) {
      var answers = socket.getInputStream();
      for (int i = 1; i <= 20; i++) {
        socket.getOutputStream().write(Records.wire(batch("a", "b", "c")));
        String expected = "ack " + 3 * i + "\n";
        assertThat(new String(answers.readNBytes(expected.length()), StandardCharsets.US_ASCII))
            .isEqualTo(expected);
        assertThat(node.counted("records_stored")).isEqualTo(3L * i);
      }
    }
    node.consume(60);
  }

  @Test
  void senderThatReadsNoAckIsStoredToTheEnd() throws IOException {
    byte[] some = Records.wire(batch("x"));
    int batches = 20_000;
    try (Socket socket = new Socket()) {
      // Before it connects: a kernel drops what does not fit into a buffer that shrinks later.
      socket.setReceiveBufferSize(1024);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.node.fastPort()));
      for (int i = 0; i < batches; i++) {
        socket.getOutputStream().write(some);
      }
      await().until(() -> node.counted("records_stored") == batches);
    }
  }

  @Test
  void batchCutAnywhereStoresNothingAndHurtsNobody() throws IOException {
    byte[] whole = Records.wire(batch("one", "two"));
    try (Socket other = node.connect()) {
      for (int cut = 4; cut < whole.length; cut++) {
        assertThat(node.send(Arrays.copyOf(whole, cut))).isEmpty();
      }
      assertThat(node.counted("records_received")).isZero();
      assertThat(node.files()).isEmpty();
      other.getOutputStream().write(Records.wire(batch("unharmed")));
      assertThat(other.getInputStream().readNBytes(6)).asString().isEqualTo("ack 1\n");
    }
    assertThat(RunningNode.text(node.consume(1))).isEqualTo("unharmed\0");
    assertThat(node.counted("bytes_rejected", "reason", "cut")).isPositive();
  }

  @Test
  void flippedBitAnywhereBehindTheMagicIsRefused() throws IOException {
    byte[] good = Records.wire(batch("one", "two"));
    for (int bit = 32; bit < good.length * 8; bit += 7) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << (bit % 8));
      String answer = node.send(bad);
      // A larger length only makes the batch unfinished.
      assertThat(answer)
          .as("bit %d", bit)
          .satisfiesAnyOf(
              a -> assertThat(a).startsWith("error: at byte 0: expected ").endsWith("\n"),
              a -> assertThat(a).isEmpty());
    }
    assertThat(node.counted("records_stored")).isZero();
    assertThat(node.files()).isEmpty();
  }

  @Test
  void wrongChecksumIsNamed() throws IOException {
    byte[] bad = Records.wire(batch("one"));
    bad[bad.length - 2] ^= 1;
    assertThat(node.send(bad)).matches("error: at byte 0: expected a batch with checksum .*\n");
    assertThat(node.counted("records_rejected", "reason", "corrupt")).isEqualTo(1);
  }

  @Test
  void lengthOfFourGigabytesIsRefusedAtOnce() throws IOException {
    byte[] bad = Records.wire(batch("one"));
    ByteBuffer.wrap(bad).putInt(12, -1);
    try (Socket socket = node.connect()) {
      socket.getOutputStream().write(bad);
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .isEqualTo(
              "error: at byte 0: expected a payload of 1 to 2097152 bytes,"
                  + " found 4294967295 (0xffffffff)\n");
    }
  }

  @Test
  void garbageBehindAGoodBatchLosesNothingOfIt() throws IOException {
    Batch good = batch("good");
    byte[] sent = Records.wire(good);
    int length = sent.length;
    sent = Arrays.copyOf(sent, length + 1000);
    Arrays.fill(sent, length, sent.length, (byte) 'g');
    String answer = node.send(sent);
    assertThat(answer).contains("ack 1\n").contains("error: at byte " + length + ": expected");
    assertThat(node.consume(1)).containsExactly(good);
    assertThat(node.counted("bytes_rejected", "reason", "corrupt")).isEqualTo(1000);
  }

  @Test
  void farOffTimeIsStampedAnew() throws IOException {
    Batch near = batch("near");
    Batch far =
        Records.batch(TOPIC, Delimiter.LF, new Ulid(5L << 16, 77), List.of(new byte[] {'f'}));
    Batch late = batch("late");
    String answer = node.send(Records.wire(near, far, late));
    assertThat(answer).endsWith("ack 3\n");
    List<Batch> stored = node.consume(3);
    assertThat(stored).hasSize(3).contains(near, late);
    assertThat(stored.get(1).payload()).isEqualTo(far.payload());
    assertThat(stored.get(1).topic()).isEqualTo(TOPIC);
    assertThat(stored.get(1).first().millis())
        .isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis());
    assertThat(node.counted("batches_restamped")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"times=kept", "clock=1"})
  void timesOfThePastAreKeptForASenderThatMeansThemAndThoseOfTheFutureForNone(String word)
      throws IOException {
    Batch past =
        Records.batch(TOPIC, Delimiter.LF, new Ulid(5L << 16, 77), List.of(new byte[] {'p'}));
    long ahead = System.currentTimeMillis() + Duration.ofDays(2).toMillis();
    Batch future =
        Records.batch(TOPIC, Delimiter.LF, new Ulid(ahead << 16, 78), List.of(new byte[] {'f'}));
    byte[] preamble = ("CORDWOOD/1 " + word + "\n").getBytes(StandardCharsets.US_ASCII);
    byte[] batches = Records.wire(past, future, past);
    byte[] sent = Arrays.copyOf(preamble, preamble.length + batches.length);
    System.arraycopy(batches, 0, sent, preamble.length, batches.length);
    assertThat(node.send(sent)).endsWith("ack 3\n");
    List<Batch> stored = node.consume(3);
    assertThat(stored.get(0)).isEqualTo(past);
    assertThat(stored.get(1).payload()).isEqualTo(future.payload());
    assertThat(stored.get(1).first().millis()).isLessThan(ahead);
    assertThat(stored.get(2)).isEqualTo(past);
    assertThat(node.counted("batches_restamped")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoeverAsksForTheTimeIsToldItBeforeAllElse(boolean hints) throws IOException {
    long before = System.currentTimeMillis();
    try (Socket socket = node.connect()) {
      String preamble = "CORDWOOD/1 clock=1" + (hints ? " hints=1" : "") + "\n";
      socket.getOutputStream().write(preamble.getBytes(StandardCharsets.US_ASCII));
      var lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      String first = lines.readLine();
      assertThat(first).startsWith("clock ");
      assertThat(Long.parseLong(first.substring("clock ".length())))
          .isBetween(before, System.currentTimeMillis());
      socket.getOutputStream().write(Records.wire(batch("now")));
      assertThat(lines.lines().anyMatch("ack 1"::equals)).isTrue();
    }
  }

  @Test
  void byteAtATimeIsTheSame() throws IOException {
    Batch batch = batch("slow", "sender");
    byte[] sent = Records.wire(batch);
    try (Socket socket = node.connect()) {
      socket.setTcpNoDelay(true);
      for (int i = 0; i < sent.length; i++) {
        socket.getOutputStream().write(sent[i]);
        node.awaitRead(i + 1L);
      }
    }
    assertThat(node.consume(2)).containsExactly(batch);
  }

  @Test
  void connectionsOverTheBoundAreToldSo() throws IOException {
    var limits = RunningNode.options(folder.resolve("few")).limits();
    var few =
        RunningNode.options(folder.resolve("few"))
            .with(
                new IngestOptions.Limits(
                    2,
                    limits.maxHeldBytes(),
                    limits.reserveBytes(),
                    limits.maxSkew(),
                    limits.drain()));
    try (var small = new RunningNode(few);
        Socket a = small.connect();
        Socket b = small.connect()) {
      await().until(() -> small.registry.get("cordwood_ingest_connections").gauge().value() == 2);
      try (Socket c = small.connect()) {
        assertThat(new String(c.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .isEqualTo("error: expected at most 2 connections, found more\n");
      }
      a.getOutputStream().write("a\n".getBytes(StandardCharsets.UTF_8));
      b.getOutputStream().write("b\n".getBytes(StandardCharsets.UTF_8));
      assertThat(small.consume(2)).hasSizeGreaterThan(1);
      assertThat(small.counted("connections_refused")).isEqualTo(1);
    }
  }

  /** A mebibyte is taken; format/batch.md has the bound. */
  @Test
  void aRecordOfMoreThanAMebibyteIsRefused() throws IOException {
    String most = "x".repeat(1 << 20);
    assertThat(node.send(Records.wire(batch("a", most)))).endsWith("ack 2\n");
    assertThat(node.send(Records.wire(batch("a", most + "y", "b"))))
        .contains("expected records of at most 1048576 bytes, found a longer one");
  }
}
