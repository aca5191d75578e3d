package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.TestNode.Behaviour;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of events when nodes are down, hang, or break connections. */
public abstract class UnwillingNodeContract extends AppenderFixture {
  private static final int KILLS = Integer.getInteger("cordwood.kills", 10);
  private static final int EVENTS_A_LIFE = 200;

  /** The least memory. */
  private static final int MEMORY = 2 << 20;

  private static final String LONG_TEXT = "x".repeat(1000);

  private AppenderXml smallAppender() {
    return appender().set("memory", "2MiB");
  }

  private static List<String> numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "event " + i).toList();
  }

  @Test
  void applicationStartsWithoutANodeAndItsEventsArriveOnceThereIsOne() throws IOException {
    node.close();
    try (Application application = start(appender())) {
      numbered(100).forEach(application::log);
      assertThat(application.counters().pending()).isEqualTo(100);
      startNodeAgain();
      awaitAcknowledged(application, 100);
    }
    assertThat(received()).isEqualTo(numbered(100));
  }

  @Test
  void nodeThatIsKilledAndStartedAgainGetsAllAndNothingTwice() throws IOException {
    List<String> expected = numbered(KILLS * EVENTS_A_LIFE);
    Random random = new Random(11);
    TestNode first = node;
    node.lifeBytes = () -> first.connections.get() > 4 ? Long.MAX_VALUE : random.nextInt(3000);
    try (Application application = start(appender())) {
      for (int kill = 0; kill < KILLS; kill++) {
        int begin = kill * EVENTS_A_LIFE;
        expected.subList(begin, begin + EVENTS_A_LIFE / 2).forEach(application::log);
        awaitAcknowledged(application, begin + EVENTS_A_LIFE / 4);
        node.close();
        expected
            .subList(begin + EVENTS_A_LIFE / 2, begin + EVENTS_A_LIFE)
            .forEach(application::log);
        startNodeAgain();
      }
      awaitAcknowledged(application, expected.size());
      assertThat(application.counters().droppedRecords()).isZero();
      assertThat(application.counters().connections().disconnects()).isPositive();
    }
    assertThat(received()).isEqualTo(expected);
  }

  @Test
  void nodeThatHangsIsLeftForAnotherOne() throws IOException {
    node.behaviour = Behaviour.DEAF;
    try (TestNode other = new TestNode(archive)) {
      String targets = node.target() + ", " + other.target();
      AppenderXml xml = appender().set("targets", targets).set("ackTimeout", "200ms");
      for (int i = 0; i < 64 && node.connections.get() == 0; i++) {
        try (Application application = start(xml)) {
          application.log("event " + i);
          awaitAcknowledged(application, 1);
        }
      }
      assertThat(node.connections).hasPositiveValue();
      assertThat(other.faults).isEmpty();
    }
    node.release();
  }

  @Test
  void appendingNeverWaitsForAHungNodeAndMemoryIsBoundedInBytes() {
    node.behaviour = Behaviour.DEAF;
    int events = 3 * MEMORY / LONG_TEXT.length();
    try (Application application = start(smallAppender().set("stopTimeout", "0s"))) {
      for (int i = 0; i < events; i++) {
        application.log(LONG_TEXT);
        if (i % 100 == 0) {
          assertThat(application.counters().pendingBytes()).isLessThanOrEqualTo(MEMORY);
        }
      }
      ForwarderCounters full = application.counters();
      assertThat(full.appended()).isEqualTo(events);
      assertThat(full.dropped(DropReason.NEWEST_WHEN_FULL)).isGreaterThan(events / 2);
      assertLedgerHolds(full);
      await()
          .atMost(LONG)
          .until(() -> application.status().stream().anyMatch(s -> s.contains("are dropped")));
    }
    node.release();
  }

  @Test
  void stoppingEndsAtItsDeadlineAndCountsWhatIsLeft() {
    node.behaviour = Behaviour.DEAF;
    Application application = start(appender().set("stopTimeout", "300ms"));
    numbered(100).forEach(application::log);
    long began = System.nanoTime();
    application.close();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONG);
    assertThat(application.counters().dropped(DropReason.CLOSED)).isEqualTo(100);
    assertLedgerHolds(application.counters());
    assertThat(application.status()).anyMatch(s -> s.contains("100 records were not acknowledged"));
    node.release();
  }

  @Test
  void ledgerIsExactAtAnyTimeAndDropsAreToldAsARecord() throws InterruptedException {
    node.behaviour = Behaviour.LATE;
    int threads = 4;
    int each = MEMORY / LONG_TEXT.length();
    AtomicInteger running = new AtomicInteger(threads);
    try (Application application = start(smallAppender())) {
      for (int t = 0; t < threads; t++) {
        Thread.ofPlatform()
            .start(() -> {
              IntStream.range(0, each).forEach(i -> application.log(LONG_TEXT));
              running.decrementAndGet();
            });
      }
      while (running.get() > 0) {
        assertLedgerHolds(application.counters());
        Thread.onSpinWait();
      }
      node.release();
      await().atMost(LONG).until(() -> application.counters().handling().reports() > 0);
      await().atMost(LONG).until(() -> application.counters().pending() == 0);
      ForwarderCounters end = application.counters();
      assertThat(end.appended()).isEqualTo((long) threads * each + end.handling().reports());
      assertLedgerHolds(end);
      long dropped = end.droppedRecords();
      assertThat(dropped).isPositive();
      assertThat(received()).contains("dropped " + dropped + " records (newest when full)");
      assertThat(archive.count()).isEqualTo(end.acknowledged());
    }
  }

  @Test
  void oldestGoFirstIfAskedFor() throws IOException {
    node.close();
    int events = 2 * MEMORY / LONG_TEXT.length();
    try (Application application = start(smallAppender().set("whenFull", "drop-oldest"))) {
      IntStream.range(0, events).forEach(i -> application.log(i + LONG_TEXT));
      assertThat(application.counters().dropped(DropReason.OLDEST_WHEN_FULL)).isPositive();
      startNodeAgain();
      await().atMost(LONG).until(() -> application.counters().pending() == 0);
    }
    assertThat(received()).contains(events - 1 + LONG_TEXT).doesNotContain("0" + LONG_TEXT);
  }

  @Test
  void blockingAppenderLosesNothingAndItsWaitsPinNoCarriers() throws InterruptedException {
    node.behaviour = Behaviour.LATE;
    int carriers = 256; // there are no more than that, however many are pinned
    int threads = 400;
    int each = 8 * MEMORY / LONG_TEXT.length() / threads;
    List<Thread> all = new ArrayList<>();
    try (Application application = start(smallAppender().set("whenFull", "block"))) {
      for (int t = 0; t < threads; t++) {
        all.add(
            Thread.startVirtualThread(
                () -> IntStream.range(0, each).forEach(i -> application.log(LONG_TEXT))));
      }
      await().atMost(LONG).until(() -> waiting(all) > carriers);
      Thread.startVirtualThread(node::release).join();
      for (Thread thread : all) {
        thread.join();
      }
      awaitAcknowledged(application, (long) threads * each);
      assertThat(application.counters().handling().blockedNanos()).isPositive();
      assertThat(application.counters().droppedRecords()).isZero();
    }
    assertThat(received()).hasSize(threads * each);
  }

  @Test
  void threadThatWaitsForRoomHoldsNoStopUp() throws InterruptedException {
    node.behaviour = Behaviour.DEAF;
    AppenderXml xml = smallAppender().set("whenFull", "block").set("stopTimeout", "100ms");
    Application application = start(xml);
    Thread thread =
        Thread.startVirtualThread(
            () -> IntStream.range(0, 3 * MEMORY / 1000).forEach(i -> application.log(LONG_TEXT)));
    await().atMost(LONG).until(() -> application.counters().handling().blockedNanos() > 0);
    application.close();
    thread.join();
    assertThat(application.counters().pending()).isZero();
    assertLedgerHolds(application.counters());
    node.release();
  }

  private static long waiting(List<Thread> threads) {
    return threads.stream().filter(t -> t.getState() == Thread.State.TIMED_WAITING).count();
  }
}
