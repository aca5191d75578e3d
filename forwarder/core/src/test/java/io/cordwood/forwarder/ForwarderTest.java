package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ForwarderTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Archive archive = new Archive();
  private TestNode node;

  @BeforeEach
  void startNode() throws IOException {
    node = new TestNode(archive);
  }

  @AfterEach
  void stopNode() throws IOException {
    node.close();
    assertThat(node.faults).isEmpty();
  }

  private ForwarderOptions.Builder options() {
    return ForwarderOptions.builder()
        .target(node.target())
        .backoff(Duration.ofMillis(1), Duration.ofMillis(20));
  }

  private static Forwarder start(ForwarderOptions.Builder options) {
    return Forwarder.start(options.build(), ForwarderListener.NONE);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static boolean sendLines(Forwarder forwarder, String text) {
    return forwarder.sendLines(bytes(text), 0, text.length());
  }

  @Test
  void recordsArriveInOrderUnderTheTopic() {
    List<String> expected = IntStream.range(0, 10_000).mapToObj(i -> "record " + i).toList();
    try (Forwarder forwarder = start(options().topic("web.front-1"))) {
      expected.forEach(r -> assertThat(forwarder.send(bytes(r))).isTrue());
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
      assertThat(archive.records()).isEqualTo(expected);
      assertThat(archive.batches()).allMatch(b -> b.topic.equals("web.front-1"));
      assertThat(forwarder.counters().acknowledged()).isEqualTo(10_000);
    }
  }

  @Test
  void percentSignsAreData() {
    try (Forwarder forwarder = start(options())) {
      sendLines(forwarder, "100% done %d %s %n\n");
      forwarder.send(bytes("%d"));
      forwarder.flush(LONG);
    }
    assertThat(archive.records()).containsExactly("100% done %d %s %n", "%d");
  }

  @Test
  void allByteValuesArrive() {
    StringBuilder all = new StringBuilder();
    IntStream.range(0, 256).filter(b -> b != '\n').forEach(b -> all.append((char) b));
    String noNul = all.substring(1) + "\nat line two";
    try (Forwarder forwarder = start(options())) {
      forwarder.send(bytes(all.toString()));
      forwarder.send(bytes(noNul));
      forwarder.send(bytes(""));
      sendLines(forwarder, all + "\r\n");
      forwarder.flush(LONG);
    }
    assertThat(archive.records()).containsExactly(all.toString(), noNul, "", all + "\r");
  }

  @Test
  void recordWithLfAndNulArrivesAsLinesAndIsCounted() {
    try (Forwarder forwarder = start(options())) {
      forwarder.send(bytes("a\0b\n\nc\n"));
      forwarder.flush(LONG);
      assertThat(forwarder.counters().cuts()).isEqualTo(3);
      assertThat(forwarder.counters().appended()).isEqualTo(4);
    }
    assertThat(archive.records()).containsExactly("a\0b", "", "c", "");
  }

  @Test
  void longRecordIsCutNotLost() {
    String text = "x\ny".repeat(1 << 20);
    try (Forwarder forwarder = start(options())) {
      forwarder.send(bytes(text));
      forwarder.flush(LONG);
      assertThat(forwarder.counters().cuts()).isEqualTo(2);
    }
    assertThat(String.join("", archive.records())).isEqualTo(text);
    assertThat(archive.records()).allMatch(r -> r.length() == 1 << 20);
  }

  @Test
  void blankLinesAreLeftOutAndCounted() {
    try (Forwarder forwarder = start(options())) {
      sendLines(forwarder, "\n\na\n\nb\nc\n\n\n");
      sendLines(forwarder, "\n");
      sendLines(forwarder, "d\n");
      forwarder.flush(LONG);
      assertThat(forwarder.counters().blankLines()).isEqualTo(6);
      assertThat(forwarder.counters().appended()).isEqualTo(4);
    }
    assertThat(archive.records()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void randomLinesArriveExactlyOverTwoHundredKillPoints() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    node.lifeBytes = () -> node.connections.get() > 200 ? Long.MAX_VALUE : random.nextInt(60_000);
    List<String> expected = new ArrayList<>();
    try (Forwarder forwarder = start(options().batchBytes(4096))) {
      for (int i = 0; node.connections.get() <= 200; i++) {
        String line = i + " " + "y".repeat(random.nextInt(i % 50 == 0 ? 9000 : 90));
        expected.add(line);
        sendLines(forwarder, line + "\n");
      }
      assertThat(forwarder.flush(LONG)).isEqualTo(new Left(0));
      ForwarderCounters counters = forwarder.counters();
      assertThat(counters.acknowledged()).isEqualTo(expected.size());
      assertThat(counters.disconnects()).isGreaterThanOrEqualTo(200);
      assertThat(counters.resentRecords()).isPositive();
    }
    assertThat(archive.records()).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void closeReturnsInTimeWithANodeThatNeverReads() {
    node.manner = TestNode.Manner.DEAF;
    Forwarder forwarder = start(options());
    byte[] record = new byte[100_000];
    for (int i = 0; i < 100; i++) {
      forwarder.send(record);
    }
    long began = System.nanoTime();
    Left left = forwarder.close(Duration.ofMillis(200));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    assertThat(left.records()).isEqualTo(100);
    assertThat(forwarder.counters().dropped(DropReason.CLOSED)).isEqualTo(100);
    assertThat(forwarder.counters().pending()).isZero();
    assertThat(forwarder.send(record)).isFalse();
    assertThat(forwarder.counters().droppedRecords()).isEqualTo(101);
  }

  @Test
  void nodeThatRestartsOnItsPortGetsTheRest() throws IOException {
    try (Forwarder forwarder = start(options())) {
      sendLines(forwarder, "before\n");
      forwarder.flush(LONG);
      int port = node.port();
      node.close();
      sendLines(forwarder, "during\n");
      await().until(() -> forwarder.counters().disconnects() > 0);
      node = new TestNode(archive, port);
      sendLines(forwarder, "after\n");
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
    }
    assertThat(archive.records()).containsExactly("before", "during", "after");
  }
}
