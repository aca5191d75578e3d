package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.TestNode.Behaviour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes tell of each other, true or not; nothing of it may lose or double a record. */
final class HintsTest extends NodeFixture {
  private static final String SELF = "self a 10 1000 0 1000\n";
  private static final String GO = "go b\n";

  private final List<String> sent = new ArrayList<>();
  private TestNode other;

  @BeforeEach
  void startOther() throws IOException {
    other = new TestNode(archive);
  }

  @AfterEach
  void stopOther() throws IOException {
    other.close();
    assertThat(other.faults).isEmpty();
  }

  private static String nodeLine(String id, String host, int port, int connections) {
    return "node " + id + " " + host + ":" + port + " " + connections + " 10 0 1000\n";
  }

  private String otherLine() {
    return nodeLine("b", "127.0.0.1", other.port(), 1);
  }

  private void send(Forwarder forwarder) {
    sent.add("record " + sent.size());
    forwarder.send(bytes(sent.getLast()));
  }

  private void sendUntil(Forwarder forwarder, BooleanSupplier condition) {
    await()
        .atMost(LONG)
        .until(() -> {
          send(forwarder);
          return condition.getAsBoolean();
        });
  }

  private void sendAndFlush(Forwarder forwarder, int records) {
    for (int i = 0; i < records; i++) {
      send(forwarder);
      flush(forwarder);
    }
  }

  private void assertEachRecordIsThereOnce() {
    assertThat(archive.records()).isEqualTo(sent);
    assertThat(archive.duplicates()).isZero();
  }

  @Test
  void aForwarderGoesToALessLoadedNodeWithoutSendingAnythingAgain() {
    node.hints = SELF + otherLine() + GO;
    other.hints = "self b 1 10 0 1000\n";
    try (Forwarder forwarder = start(options())) {
      sendUntil(forwarder, () -> forwarder.counters().connections().moves() == 1);
      sendAndFlush(forwarder, 20);
      assertThat(forwarder.counters().handling().resentRecords()).isZero();
      assertThat(forwarder.counters().connections().disconnects()).isZero();
      assertThat(other.connections).hasValue(1);
      await().atMost(LONG).until(() -> node.open() == 0);
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void twoNodesThatPointAtEachOtherMoveAForwarderOnce() {
    node.laterHints = SELF + otherLine() + GO;
    other.hints = "self b 1 10 0 1000\n";
    other.laterHints =
        "self b 9 1000 0 1000\n" + nodeLine("a", "127.0.0.1", node.port(), 1) + "go a\n";
    node.hints = "self a 1 10 0 1000\n";
    long began = System.nanoTime();
    try (Forwarder forwarder = start(options())) {
      sendUntil(forwarder, () -> forwarder.counters().connections().moves() > 0);
      sendAndFlush(forwarder, 200);
      var connections = forwarder.counters().connections();
      // More often only if so many records take longer than a stay.
      long most = 1 + (System.nanoTime() - began) / MoveBackoff.MIN_STAY_NANOS;
      assertThat(connections.moves()).isBetween(1L, most);
      assertThat(connections.ignoredHints()).isGreaterThan(100);
      assertThat(node.connections.get() + other.connections.get()).isBetween(2, 1 + (int) most);
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void aNodeThatIsNoLessLoadedThanTheOneThatSendsOnIsNotGoneTo() {
    node.hints = SELF + otherLine() + GO;
    other.hints = "self b 11 1000 0 1000\n";
    try (Forwarder forwarder = start(options())) {
      sendUntil(forwarder, () -> forwarder.counters().connections().ignoredHints() > 0);
      sendAndFlush(forwarder, 5);
      assertThat(forwarder.counters().connections().moves()).isZero();
      assertThat(other.connections).hasPositiveValue();
      await().atMost(LONG).until(() -> other.open() == 0);
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void theOwnNodeUnderAnotherNameIsNotGoneTo() {
    node.hints = SELF + nodeLine("b", "localhost", node.port(), 1) + GO;
    try (Forwarder forwarder = start(options())) {
      sendUntil(forwarder, () -> forwarder.counters().connections().ignoredHints() > 0);
      sendAndFlush(forwarder, 5);
      assertThat(forwarder.counters().connections().moves()).isZero();
      assertThat(forwarder.counters().connections().disconnects()).isZero();
      assertThat(node.connections).hasValueGreaterThan(1);
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void aNodeThatNamesTenThousandOthersIsHeardOutAndFewAreKept() throws IOException {
    var all = new StringBuilder(SELF);
    for (int i = 0; i < 10_000; i++) {
      all.append(nodeLine("n" + i, "127.0.0.1", 1, 0));
    }
    node.hints = all + "go n5\ngo n9999\n";
    try (Forwarder forwarder = start(options())) {
      sendUntil(
          forwarder,
          () -> forwarder.counters().connections().ignoredHints() >= 10_000 - AdvertisedNodes.MAX);
      sendAndFlush(forwarder, 5);
      assertThat(forwarder.counters().connections().moves()).isZero();
      assertThat(forwarder.counters().connections().disconnects()).isZero();
      node.close();
      await().atMost(LONG).until(() -> forwarder.counters().connections().disconnects() == 1);
      startNodeAgain();
      sendAndFlush(forwarder, 5);
    }
    assertEachRecordIsThereOnce();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "self \n",
        "self a 1 2 3\n",
        "self a 1 2 3 -4\n",
        "self a 1 2 3 9999999999999999999\n",
        "node b 1 2 3 4\n",
        "node b 127.0.0.1 1 2 3 4\n",
        "node b 127.0.0.1:0 1 2 3 4\n",
        "node b 127.0.0.1:65536 1 2 3 4\n",
        "node b tls://127.0.0.1:1 1 2 3 4\n",
        "node b file:///etc/passwd 1 2 3 4\n",
        "node b [::1:1 1 2 3 4\n",
        "go \n",
      })
  void aHintThatCannotBeReadIsPassedOver(String line) {
    node.laterHints = line;
    try (Forwarder forwarder = start(options())) {
      sendAndFlush(forwarder, 3);
      await().atMost(LONG).until(() -> forwarder.counters().connections().ignoredHints() == 3);
      assertThat(forwarder.counters().connections().disconnects()).isZero();
    }
    assertEachRecordIsThereOnce();
  }

  @ParameterizedTest
  @ValueSource(strings = {"go b\n", "go a\n", "node a 127.0.0.1:1 0 0 0 0\ngo a\n"})
  void aForwarderGoesNowhereButToAnotherNodeOfWhichItWasTold(String hints) {
    node.laterHints = SELF + hints;
    try (Forwarder forwarder = start(options())) {
      sendAndFlush(forwarder, 10);
      assertThat(forwarder.counters().connections().moves()).isZero();
      assertThat(forwarder.counters().connections().disconnects()).isZero();
      assertThat(node.connections).hasValue(1);
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void aPausedNodeHoldsNothingUp() throws IOException {
    try (ServerSocket paused = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      node.laterHints = SELF + nodeLine("b", "127.0.0.1", paused.getLocalPort(), 0) + GO;
      try (Forwarder forwarder = start(options().connectTimeout(Duration.ofHours(1)))) {
        sendAndFlush(forwarder, 200);
        assertThat(forwarder.counters().connections().moves()).isZero();
        assertThat(forwarder.counters().connections().disconnects()).isZero();
      }
    }
    assertEachRecordIsThereOnce();
    await().atMost(LONG).until(HintsTest::noStandbyThreadIsLeft);
  }

  private static boolean noStandbyThreadIsLeft() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().equals("cordwood-forwarder-standby"));
  }

  /** It says that its disk takes nothing, and ends its connections soon after. */
  @Test
  void aNodeThatStopsIsLeftForTheOneThatItNames() {
    node.laterHints = "self a 1 10 0 0\n" + nodeLine("b", "127.0.0.1", other.port(), 50) + GO;
    node.hints = SELF;
    other.hints = "self b 50 1000 0 1000\n";
    try (Forwarder forwarder = start(options())) {
      sendUntil(forwarder, () -> forwarder.counters().connections().moves() == 1);
      sendAndFlush(forwarder, 5);
      assertThat(forwarder.counters().handling().resentRecords()).isZero();
      assertThat(forwarder.counters().connections().disconnects()).isZero();
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void aNodeThatRefusesSaysWhereElseToGo() {
    node.behaviour(Behaviour.REFUSE).hints = SELF + otherLine() + GO;
    try (Forwarder forwarder = start(options().backoff(Duration.ofHours(1), Duration.ofHours(1)))) {
      sendAndFlush(forwarder, 5);
      assertThat(other.connections.get()).isPositive();
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void nodesThatRefuseAndPointAtEachOtherAreTriedWithPauses() {
    node.behaviour(Behaviour.REFUSE).hints = SELF + otherLine() + GO;
    other.behaviour(Behaviour.REFUSE).hints =
        "self b 10 1000 0 1000\n" + nodeLine("a", "127.0.0.1", node.port(), 1) + "go a\n";
    try (Forwarder forwarder = start(options().backoff(Duration.ofHours(1), Duration.ofHours(1)))) {
      send(forwarder);
      await().atMost(LONG).until(() -> other.connections.get() >= 1);
      await()
          .during(Duration.ofMillis(300))
          .atMost(LONG)
          .until(() -> node.connections.get() + other.connections.get() <= 4);
      forwarder.close(Duration.ZERO);
      assertThat(forwarder.counters().droppedRecords()).isOne();
    }
    assertThat(archive.count()).isZero();
  }

  @Test
  void aNodeThatWasToldOfIsTriedWhenNoTargetCanBeReached() throws IOException {
    node.hints = SELF + otherLine();
    try (Forwarder forwarder = start(options())) {
      sendAndFlush(forwarder, 5);
      node.close();
      sendAndFlush(forwarder, 5);
      assertThat(other.connections.get()).isPositive();
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void aNodeOfAnEarlierVersionIsAskedOnce() {
    node.behaviour(Behaviour.WITHOUT_HINTS);
    try (Forwarder forwarder = start(options().maxConnectionAge(Duration.ofMillis(1)))) {
      sendUntil(forwarder, () -> node.connections.get() > 4);
      flush(forwarder);
    }
    assertThat(node.asked).hasValue(1);
    assertEachRecordIsThereOnce();
  }

  @Test
  void anOldConnectionIsRenewedAtTheSameNodeIfThatTellsOfOthers() {
    node.hints = SELF + otherLine();
    other.hints = "self b 1 10 0 1000\n" + nodeLine("a", "127.0.0.1", node.port(), 10);
    var options = options().target(other.target()).maxConnectionAge(Duration.ofMillis(1));
    try (Forwarder forwarder = start(options)) {
      sendUntil(forwarder, () -> node.connections.get() + other.connections.get() > 5);
      flush(forwarder);
      assertThat(Math.min(node.connections.get(), other.connections.get())).isZero();
    }
    assertEachRecordIsThereOnce();
  }

  @Test
  void whoDoesNotWantHintsDoesNotAskForThem() {
    node.hints = SELF + otherLine() + GO;
    try (Forwarder forwarder = start(options().balance(false))) {
      sendAndFlush(forwarder, 5);
    }
    assertThat(node.asked).hasValue(0);
    assertThat(other.connections).hasValue(0);
    assertEachRecordIsThereOnce();
  }
}
