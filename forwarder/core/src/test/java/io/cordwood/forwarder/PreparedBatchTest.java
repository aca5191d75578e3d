package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Batches whose maker gives them their bytes, their topics and their ULIDs. */
final class PreparedBatchTest extends NodeFixture {
  private final List<Integer> acknowledged = Collections.synchronizedList(new ArrayList<>());

  private PreparedBatch batch(String topic, int number, String lines) {
    Origin origin = new Origin(topic, Labels.NONE);
    int at = PreparedBatch.payloadAt(origin);
    byte[] bytes = new byte[at + lines.length() + 100];
    System.arraycopy(bytes(lines), 0, bytes, at, lines.length());
    var batch = new PreparedBatch(origin, bytes, () -> acknowledged.add(number));
    batch.takeLines(lines.length());
    batch.stamp(5L << 16, (long) number << 32);
    return batch;
  }

  @Test
  void arriveOnceAndInOrderAmongOtherRecordsOverLostConnections() {
    long seed = Long.getLong("cordwood.seed", 20_261_126L);
    Random random = new Random(seed);
    node.lifeBytes = () -> node.connections.get() > 50 ? Long.MAX_VALUE : random.nextInt(20_000);
    List<String> expected = new ArrayList<>();
    List<String> others = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    try (Forwarder forwarder = start(options().batchBytes(4096))) {
      for (int i = 0; node.connections.get() <= 50; i++) {
        assertThat(forwarder.send(batch("topic" + i % 3, i, i + " a\n" + i + " b\n"))).isTrue();
        sendLines(forwarder, i + " c\n");
        Collections.addAll(expected, i + " a", i + " b");
        others.add(i + " c");
        numbers.add(i);
      }
      flush(forwarder);
      assertThat(forwarder.counters().acknowledged()).isEqualTo(3L * numbers.size());
      assertThat(forwarder.counters().pendingBytes()).isZero();
    }
    expected.addAll(others); // whose ULIDs have the time of today
    assertThat(archive.records()).as("seed %d", seed).isEqualTo(expected);
    // Makers hear of it after the records are counted.
    await().atMost(LONG).until(() -> acknowledged.size() >= numbers.size());
    assertThat(acknowledged).isEqualTo(numbers);
  }

  @Test
  void waitForRoomAsLongAsItTakes() throws IOException {
    node.close();
    try (Forwarder forwarder = start(options().windowBytes(ForwarderOptions.MIN_WINDOW_BYTES))) {
      String lines = "y".repeat(500_000) + "\n";
      Thread sender =
          new Thread(() -> {
            for (int i = 0; i < 20; i++) {
              forwarder.send(batch("t", i, i + lines));
            }
          });
      sender.start();
      await().until(() -> sender.getState() == Thread.State.TIMED_WAITING);
      assertThat(forwarder.counters().pendingBytes())
          .isLessThanOrEqualTo(ForwarderOptions.MIN_WINDOW_BYTES);
      startNodeAgain();
      await().atMost(LONG).until(() -> acknowledged.size() == 20);
    }
    assertThat(archive.count()).isEqualTo(20);
  }

  @Test
  void blankLinesAreLeftOut() {
    Origin origin = new Origin("t", Labels.NONE);
    String lines = "\n\na\n\n\nb\n\n";
    byte[] bytes = new byte[100];
    System.arraycopy(bytes(lines), 0, bytes, PreparedBatch.payloadAt(origin), lines.length());
    var batch = new PreparedBatch(origin, bytes, () -> {});
    assertThat(batch.takeLines(lines.length())).isEqualTo(5);
    assertThat(batch.records()).isEqualTo(2);
  }

  @Test
  void isNotTakenOnceTheForwarderIsClosed() {
    Forwarder forwarder = start(options());
    forwarder.close();
    assertThat(forwarder.send(batch("t", 1, "a\n"))).isFalse();
    assertThat(forwarder.counters().appended()).isZero();
  }
}
