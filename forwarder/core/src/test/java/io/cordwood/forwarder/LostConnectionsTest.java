package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What arrives when connections are lost, left, or not made. */
final class LostConnectionsTest extends NodeFixture {
  @Test
  void randomLinesArriveExactlyOverTwoHundredKillPoints() {
    long seed = Long.getLong("cordwood.seed", 20_261_126L);
    Random random = new Random(seed);
    node.lifeBytes = () -> node.connections.get() > 200 ? Long.MAX_VALUE : random.nextInt(60_000);
    List<String> expected = new ArrayList<>();
    try (Forwarder forwarder = start(options().batchBytes(4096))) {
      for (int i = 0; node.connections.get() <= 200; i++) {
        String line = i + " " + "y".repeat(random.nextInt(i % 50 == 0 ? 9000 : 90));
        expected.add(line);
        sendLines(forwarder, line + "\n");
      }
      flush(forwarder);
      ForwarderCounters counters = forwarder.counters();
      assertThat(counters.acknowledged()).isEqualTo(expected.size());
      assertThat(counters.connections().disconnects()).isGreaterThanOrEqualTo(200);
      assertThat(counters.handling().resentRecords()).isPositive();
    }
    assertThat(archive.records()).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void nodeThatRestartsOnItsPortGetsTheRest() throws IOException {
    try (Forwarder forwarder = start(options())) {
      sendLines(forwarder, "before\n");
      flush(forwarder);
      node.close();
      sendLines(forwarder, "during\n");
      await().until(() -> forwarder.counters().connections().disconnects() > 0);
      startNodeAgain();
      sendLines(forwarder, "after\n");
      flush(forwarder);
    }
    assertThat(archive.records()).containsExactly("before", "during", "after");
  }

  @Test
  void batchSentToAnotherNodeKeepsItsBytes() throws IOException {
    Archive silentArchive = new Archive();
    List<String> reasons = new CopyOnWriteArrayList<>();
    TestNode silent = new TestNode(silentArchive).behaviour(TestNode.Behaviour.SILENT);
    ForwarderOptions.Builder options = options().ackTimeout(Duration.ofMillis(100));
    node.close();
    try (Forwarder forwarder =
        Forwarder.start(options.target(silent.target()).build(), hearing(reasons))) {
      sendLines(forwarder, "line 1\nline 2\n");
      await().until(() -> silentArchive.count() == 2 && !reasons.isEmpty());
      startNodeAgain();
      flush(forwarder);
    } finally {
      silent.close();
    }
    assertThat(reasons.get(0)).startsWith("expected an ack within 100 ms, found none");
    assertThat(archive.batches().get(0).raw).isEqualTo(silentArchive.batches().get(0).raw);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GARBAGE  | expected 'ack N', found 'HTTP/1.1 400 Bad Request'; is this its fast, durable"
            + " or bulk port?",
        "TOO_MUCH | expected an ack of 0..1, found 2",
        "REFUSE   | error: no? thanks",
        "LEAVE    | the peer closed the connection after 'see you'; is this its fast, durable or"
            + " bulk port?"
      })
  void wrongAnswerEndsTheConnectionAndNothingIsLost(TestNode.Behaviour behaviour, String reason) {
    node.behaviour = behaviour;
    List<String> reasons = new CopyOnWriteArrayList<>();
    try (Forwarder forwarder = Forwarder.start(options().build(), hearing(reasons))) {
      sendLines(forwarder, "line\n");
      await().until(() -> reasons.size() > 1);
      assertThat(forwarder.counters().acknowledged()).isZero();
      node.behaviour = TestNode.Behaviour.ACK;
      flush(forwarder);
    }
    assertThat(reasons.get(0)).isEqualTo(reason);
    assertThat(archive.records()).containsExactly("line");
  }

  @Test
  void thatAllTargetsAreStrangersIsToldAndOneNodeAmongThemIsEnough() throws IOException {
    node.behaviour = TestNode.Behaviour.GARBAGE;
    TestNode other = new TestNode(new Archive()).behaviour(TestNode.Behaviour.REFUSE);
    List<String> reasons = new CopyOnWriteArrayList<>();
    List<String> hopeless = new CopyOnWriteArrayList<>();
    ForwarderListener listener =
        new ForwarderListener() {
          @Override
          public void disconnected(SocketAddress peer, String reason, long recordsToResend) {
            reasons.add(reason);
          }

          @Override
          public void refusedByAll(String reason, boolean hasWorked) {
            hopeless.add(reason);
          }
        };
    try (Forwarder forwarder =
        Forwarder.start(options().target(other.target()).build(), listener)) {
      sendLines(forwarder, "line\n");
      await().until(() -> reasons.size() > 5);
      assertThat(hopeless).isEmpty();
      other.behaviour = TestNode.Behaviour.LEAVE;
      await().until(() -> !hopeless.isEmpty());
      other.behaviour = TestNode.Behaviour.ACK;
      flush(forwarder);
    } finally {
      other.close();
    }
    assertThat(hopeless.get(0)).endsWith("; is this its fast, durable or bulk port?");
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

  @Test
  void whatIsAcknowledgedBeforeARefusalIsNotSentAgain() {
    node.behaviour = TestNode.Behaviour.ACK_AND_REFUSE;
    try (Forwarder forwarder = start(options())) {
      sendLines(forwarder, "line\n");
      flush(forwarder);
      assertThat(forwarder.counters().acknowledged()).isEqualTo(1);
      assertThat(forwarder.counters().handling().resentRecords()).isZero();
    }
    assertThat(archive.duplicates()).isZero();
  }

  @Test
  void aDefectThatEndsTheForwarderIsReported() throws IOException {
    List<String> told = new CopyOnWriteArrayList<>();
    ForwarderListener listener =
        new ForwarderListener() {
          @Override
          public void failed(String reason) {
            told.add(reason);
          }
        };
    NameResolver resolver =
        _ -> {
          throw new StackOverflowError("here");
        };
    try (Forwarder forwarder =
        Forwarder.start(options().build(), listener, InstantSource.system(), resolver)) {
      await().atMost(LONG).until(forwarder::isClosed);
      assertThat(told).containsExactly("java.lang.StackOverflowError: here");
    }
  }

  @Test
  void nameThatIsNotKnownAnyMoreIsLookedUpUntilItIs() throws IOException {
    AtomicBoolean known = new AtomicBoolean(true);
    AtomicInteger failed = new AtomicInteger();
    NameResolver resolver =
        host -> {
          if (!known.get()) {
            failed.incrementAndGet();
            throw new UnknownHostException(host);
          }
          return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
    try (Forwarder forwarder =
        Forwarder.start(
            options().build(), ForwarderListener.NONE, InstantSource.system(), resolver)) {
      sendLines(forwarder, "one\n");
      flush(forwarder);
      known.set(false);
      node.close();
      startNodeAgain();
      sendLines(forwarder, "two\n");
      await().atMost(LONG).until(() -> failed.get() > 2);
      assertThat(forwarder.counters().pending()).isOne();
      known.set(true);
      flush(forwarder);
    }
    assertThat(archive.records()).containsExactly("one", "two");
    assertThat(archive.duplicates()).isZero();
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
    List<String> reasons = new CopyOnWriteArrayList<>();
    ForwarderListener listener =
        new ForwarderListener() {
          @Override
          public void connectFailed(Target target, String reason, Duration pause) {
            reasons.add(reason);
          }
        };
    ForwarderOptions options = options().build();
    try (Forwarder forwarder =
        Forwarder.start(options, listener, InstantSource.system(), resolver)) {
      sendLines(forwarder, "line\n");
      flush(forwarder);
    }
    assertThat(calls).hasValue(3);
    String reason = "cannot look up " + node.target() + ": 127.0.0.1";
    assertThat(reasons).containsExactly(reason, reason);
    assertThat(archive.records()).containsExactly("line");
  }
}
