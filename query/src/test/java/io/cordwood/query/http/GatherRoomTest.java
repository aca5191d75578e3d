package io.cordwood.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.testing.Patience;
import io.cordwood.query.result.ScanStats;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Queries run at once as far as there is memory for what all nodes answer. */
final class GatherRoomTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicInteger nodes = new AtomicInteger(100);

  private QueryGate gate(int parts, Duration longestWait) {
    var room = new GatherRoom(parts, nodes::get, longestWait, GatherRoom.CLIENTS, meters);
    return QueryGate.forClients(64, room, meters);
  }

  private double count(String name) {
    return meters.get(name).counter().count();
  }

  @Test
  void aQueryThatFindsNoRoomIsRefusedAndRunsOnceThereIsSome() throws IOException {
    QueryGate gate = gate(250, Duration.ZERO);
    var ran = new AtomicInteger();
    run(gate, () -> run(gate, () -> refuses(gate)));
    run(gate, ran::incrementAndGet);
    nodes.set(30);
    run(gate, () -> run(gate, () -> run(gate, ran::incrementAndGet)));
    assertThat(ran).hasValue(2);
    assertThat(count("cordwood.query.refused")).isEqualTo(1);
    assertThat(count("cordwood.query.room.waits")).isEqualTo(1);
  }

  @Test
  void aQueryOfMoreNodesThanThereIsRoomForRunsAlone() throws IOException {
    QueryGate gate = gate(50, Duration.ZERO);
    run(gate, () -> refuses(gate));
    nodes.set(0);
    run(gate, () -> run(gate, () -> {}));
  }

  @Test
  void aQueryOfThisNodeAloneTakesNoRoom() throws IOException {
    QueryGate gate = gate(100, Duration.ZERO);
    var ran = new AtomicInteger();
    run(gate, () -> gate.run(new ScanStats(), true, ran::incrementAndGet));
    gate.run(new ScanStats(), true, () -> run(gate, ran::incrementAndGet));
    assertThat(ran).hasValue(2);
  }

  @Test
  void aQueryWaitsForTheRoomOfOneThatEnds() throws Exception {
    QueryGate gate = gate(150, Patience.LONG);
    var begun = new CountDownLatch(1);
    var ends = new CountDownLatch(1);
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(
            () ->
                unchecked(
                    gate,
                    () -> {
                      begun.countDown();
                      pass(ends);
                    }),
            Thread::startVirtualThread);
    begun.await();
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(() -> unchecked(gate, () -> {}), Thread::startVirtualThread);
    await().until(() -> count("cordwood.query.room.waits") == 1);
    assertThat(second).isNotDone();
    ends.countDown();
    CompletableFuture.allOf(first, second).join();
    assertThat(count("cordwood.query.refused")).isZero();
  }

  private static void refuses(QueryGate gate) {
    assertThatThrownBy(() -> run(gate, () -> {}))
        .isInstanceOf(HttpError.class)
        .hasMessageMatching(
            "expected \\S+ \\S*B of memory for the answers of \\d+ nodes, found .* taken by other"
                + " queries; try again in 1 s");
  }

  private static void run(QueryGate gate, QueryGate.Task task) throws IOException {
    gate.run(new ScanStats(), task);
  }

  private static void unchecked(QueryGate gate, QueryGate.Task task) {
    try {
      run(gate, task);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void pass(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
