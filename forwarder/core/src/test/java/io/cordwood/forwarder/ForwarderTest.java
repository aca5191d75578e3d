package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @Test
  void batchSentToAnotherNodeKeepsItsBytes() throws IOException {
    Archive silentArchive = new Archive();
    List<String> reasons = new CopyOnWriteArrayList<>();
    TestNode silent = new TestNode(silentArchive).manner(TestNode.Manner.SILENT);
    ForwarderOptions.Builder options = options().ackTimeout(Duration.ofMillis(100));
    int port = node.port();
    node.close();
    try (Forwarder forwarder =
        Forwarder.start(options.target(silent.target()).build(), hearing(reasons))) {
      sendLines(forwarder, "line 1\nline 2\n");
      await().until(() -> silentArchive.count() == 2 && !reasons.isEmpty());
      node = new TestNode(archive, port);
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
    } finally {
      silent.close();
    }
    assertThat(reasons.get(0)).startsWith("expected an ack within 100 ms, found none");
    assertThat(archive.batches().get(0).raw).isEqualTo(silentArchive.batches().get(0).raw);
  }

  private static ForwarderListener hearing(List<String> reasons) {
    return new ForwarderListener() {
      @Override
      public void disconnected(SocketAddress peer, String reason, long recordsToResend) {
        reasons.add(reason);
        throw new IllegalStateException("a listener's fault is ignored");
      }
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GARBAGE  | expected 'ack N', found 'HTTP/1.1 400 Bad Request?'",
        "TOO_MUCH | expected an ack of 0..1, found 2",
        "REFUSE   | error: no? thanks"
      })
  void wrongAnswerEndsTheConnectionAndNothingIsLost(TestNode.Manner manner, String reason) {
    node.manner = manner;
    List<String> reasons = new CopyOnWriteArrayList<>();
    try (Forwarder forwarder = Forwarder.start(options().build(), hearing(reasons))) {
      sendLines(forwarder, "line\n");
      await().until(() -> reasons.size() > 1);
      assertThat(forwarder.counters().acknowledged()).isZero();
      node.manner = TestNode.Manner.ACK;
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
    }
    assertThat(reasons.get(0)).isEqualTo(reason);
    assertThat(archive.records()).containsExactly("line");
  }

  @Test
  void newestAreDroppedAndCountedExactly() {
    node.manner = TestNode.Manner.LATE;
    List<String> expected = new ArrayList<>();
    int window = ForwarderOptions.MIN_WINDOW_BYTES;
    try (Forwarder forwarder =
        start(options().whenFull(WhenFull.DROP_NEWEST).windowBytes(window))) {
      for (int i = 0; i < 5000; i++) {
        String record = i + "z".repeat(1000);
        if (forwarder.send(bytes(record))) {
          expected.add(record);
        }
        assertThat(forwarder.counters().pendingBytes()).isLessThanOrEqualTo(window);
      }
      ForwarderCounters full = forwarder.counters();
      assertThat(full.dropped(DropReason.NEWEST_WHEN_FULL)).isEqualTo(5000 - expected.size());
      assertThat(full.appended()).isEqualTo(5000);
      assertThat(full.pending()).isEqualTo(expected.size()).isGreaterThan(1500);
      node.release();
      forwarder.flush(LONG);
    }
    assertThat(archive.records()).isEqualTo(expected);
  }

  @Test
  void oldestAreDroppedAndCountedExactly() throws IOException {
    int port = node.port();
    node.close();
    List<String> all = new ArrayList<>();
    ForwarderOptions.Builder options = options().whenFull(WhenFull.DROP_OLDEST);
    try (Forwarder forwarder = start(options.windowBytes(ForwarderOptions.MIN_WINDOW_BYTES))) {
      for (int i = 0; i < 5000; i++) {
        all.add(i + "z".repeat(1000));
        assertThat(forwarder.send(bytes(all.get(i)))).isTrue();
      }
      ForwarderCounters full = forwarder.counters();
      int dropped = (int) full.dropped(DropReason.OLDEST_WHEN_FULL);
      assertThat(full.pending() + dropped).isEqualTo(5000);
      assertThat(dropped).isBetween(2500, 3500);
      node = new TestNode(archive, port);
      forwarder.flush(LONG);
      assertThat(archive.records()).isEqualTo(all.subList(dropped, 5000));
    }
  }

  @Test
  void blockedSenderWaitsForRoomAndCloseEndsTheWait() throws InterruptedException {
    node.manner = TestNode.Manner.SILENT;
    Forwarder forwarder = start(options().windowBytes(ForwarderOptions.MIN_WINDOW_BYTES));
    Thread sender = new Thread(() -> sendUntilRefused(forwarder));
    sender.start();
    await().until(() -> sender.getState() == Thread.State.WAITING);
    assertThat(forwarder.counters().pendingBytes()).isLessThanOrEqualTo(2 << 20);
    forwarder.close(Duration.ofMillis(50));
    sender.join(LONG.toMillis());
    assertThat(sender.isAlive()).isFalse();
    ForwarderCounters counters = forwarder.counters();
    assertThat(counters.appended()).isEqualTo(counters.dropped(DropReason.CLOSED));
  }

  @SuppressWarnings("StatementWithEmptyBody")
  private static void sendUntilRefused(Forwarder forwarder) {
    while (forwarder.send(new byte[100_000])) {}
  }

  @Test
  void nameThatIsNotKnownYetIsLookedUpAgain() {
    AtomicInteger calls = new AtomicInteger();
    NameResolver resolver =
        host -> {
          if (calls.incrementAndGet() < 3) {
            throw new UnknownHostException(host);
          }
          return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
    ForwarderOptions options = options().build();
    try (Forwarder forwarder =
        Forwarder.start(options, ForwarderListener.NONE, InstantSource.system(), resolver)) {
      sendLines(forwarder, "line\n");
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
    }
    assertThat(calls).hasValue(3);
    assertThat(archive.records()).containsExactly("line");
  }

  @Test
  void timeNeverRunsBackwardsWhateverTheClockDoes() {
    AtomicLong millis = new AtomicLong(1_000_000);
    InstantSource backwards = () -> Instant.ofEpochMilli(millis.addAndGet(-1000));
    List<String> expected = IntStream.range(0, 50).mapToObj(i -> "line " + i).toList();
    ForwarderOptions options = options().build();
    try (Forwarder forwarder =
        Forwarder.start(options, ForwarderListener.NONE, backwards, InetAddress::getAllByName)) {
      for (String line : expected) {
        sendLines(forwarder, line + "\n");
        forwarder.flush(LONG);
      }
    }
    assertThat(archive.batches()).hasSize(50).allMatch(b -> b.millis() == 999_000);
    assertThat(archive.records()).isEqualTo(expected);
  }

  @Test
  void streamKeepsItsLastLineAndCutsALongOne() throws IOException {
    String text = "first\n" + "L".repeat(3 << 20) + "\n%d\n" + "last without newline";
    try (Forwarder forwarder = start(options())) {
      InputStream in = new ByteArrayInputStream(bytes(text));
      assertThat(new ForwardStream(in, forwarder).run()).isTrue();
      forwarder.flush(LONG);
      assertThat(forwarder.counters().cuts()).isEqualTo(2);
    }
    String part = "L".repeat(1 << 20);
    assertThat(archive.records())
        .containsExactly("first", part, part, part, "%d", "last without newline");
  }
}
