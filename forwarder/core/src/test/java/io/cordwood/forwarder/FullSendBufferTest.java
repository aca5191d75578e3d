package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What becomes of records while a node takes too few of them. */
final class FullSendBufferTest extends NodeFixture {
  @Test
  void newestAreDroppedAndCountedExactly() {
    node.behaviour = TestNode.Behaviour.LATE;
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
      flush(forwarder);
    }
    assertThat(archive.records()).isEqualTo(expected);
  }

  @Test
  void oldestAreDroppedAndCountedExactly() throws IOException {
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
      startNodeAgain();
      flush(forwarder);
      assertThat(archive.records()).isEqualTo(all.subList(dropped, 5000));
    }
  }

  @Test
  void dropsAreToldByOneRecordAndToTheListener() {
    node.behaviour = TestNode.Behaviour.LATE;
    List<ForwarderCounters> told = new CopyOnWriteArrayList<>();
    ForwarderListener listener =
        new ForwarderListener() {
          @Override
          public void dropped(ForwarderCounters counters) {
            told.add(counters);
          }
        };
    ForwarderOptions options =
        options()
            .whenFull(WhenFull.DROP_NEWEST)
            .windowBytes(ForwarderOptions.MIN_WINDOW_BYTES)
            .reportDrops(true)
            .build();
    int taken = 0;
    try (Forwarder forwarder = Forwarder.start(options, listener)) {
      for (int i = 0; i < 5000; i++) {
        taken += forwarder.send(bytes("z".repeat(1000))) ? 1 : 0;
      }
      await().atMost(LONG).until(() -> told.size() == 1);
      assertThat(told.get(0).droppedRecords()).isPositive();
      node.release();
      await().atMost(LONG).until(() -> forwarder.counters().handling().reports() == 1);
      flush(forwarder);
      assertThat(forwarder.counters().acknowledged()).isEqualTo(taken + 1);
    }
    String report = "dropped " + (5000 - taken) + " records (newest when full)";
    assertThat(archive.records()).hasSize(taken + 1).containsOnlyOnce(report);
  }

  @Test
  void blockedSenderWaitsForRoomAndCloseEndsTheWait() throws InterruptedException {
    node.behaviour = TestNode.Behaviour.SILENT;
    Forwarder forwarder = start(options().windowBytes(ForwarderOptions.MIN_WINDOW_BYTES));
    Thread sender = new Thread(() -> sendUntilRefused(forwarder));
    sender.start();
    await().until(() -> sender.getState() == Thread.State.TIMED_WAITING);
    assertThat(forwarder.counters().pendingBytes()).isLessThanOrEqualTo(2 << 20);
    forwarder.close(Duration.ofMillis(50));
    sender.join(LONG.toMillis());
    assertThat(sender.isAlive()).isFalse();
    ForwarderCounters counters = forwarder.counters();
    assertThat(counters.handling().blockedNanos()).isPositive();
    assertThat(counters.appended()).isEqualTo(counters.dropped(DropReason.CLOSED));
  }

  @SuppressWarnings("StatementWithEmptyBody")
  private static void sendUntilRefused(Forwarder forwarder) {
    while (forwarder.send(new byte[100_000])) {}
  }

  @Test
  void closeReturnsInTimeWithANodeThatNeverReads() {
    node.behaviour = TestNode.Behaviour.DEAF;
    Forwarder forwarder = start(options());
    byte[] record = new byte[100_000];
    for (int i = 0; i < 100; i++) {
      forwarder.send(record);
    }
    long began = System.nanoTime();
    Unacknowledged unacknowledged = forwarder.close(Duration.ofMillis(200));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Patience.LONG);
    assertThat(unacknowledged.records()).isEqualTo(100);
    assertThat(forwarder.counters().dropped(DropReason.CLOSED)).isEqualTo(100);
    assertThat(forwarder.counters().pending()).isZero();
    assertThat(forwarder.send(record)).isFalse();
    assertThat(forwarder.counters().droppedRecords()).isEqualTo(101);
  }
}
