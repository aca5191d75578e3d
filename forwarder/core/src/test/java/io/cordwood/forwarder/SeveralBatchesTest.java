package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.TestNode.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Several batches of one maker, in one array, arrive as if each had its own. */
final class SeveralBatchesTest extends NodeFixture {
  private static final Labels WEB = Labels.of(Map.of("host", "a"));

  private final List<Integer> acknowledged = Collections.synchronizedList(new ArrayList<>());
  private int counter;

  /** One batch of each text, each a millisecond later than the one before. */
  private PreparedBatch several(Labels labels, int number, long millis, List<String> texts) {
    var origin = new Origin("t", labels);
    int before = PreparedBatch.payloadAt(origin);
    byte[] array = new byte[texts.stream().mapToInt(text -> before + text.length()).sum() + 50];
    var batch = new PreparedBatch(origin, array, () -> acknowledged.add(number));
    int at = before;
    for (int i = 0; i < texts.size(); i++) {
      at = i == 0 ? at : batch.beginNext();
      byte[] text = bytes(texts.get(i));
      System.arraycopy(text, 0, array, at, text.length);
      if (i % 2 == 0) {
        assertThat(batch.takeLines(text.length)).isZero();
      } else {
        batch.takeLines(text.length, (int) texts.get(i).lines().count());
      }
      batch.stamp((millis + i) << 16, counter);
      counter += (int) texts.get(i).lines().count();
    }
    return batch;
  }

  @Test
  void arriveOnceAndWithTheirTimesOverLostConnections() {
    long seed = Long.getLong("cordwood.seed", 20_261_129L);
    var random = new Random(seed);
    node.lifeBytes = () -> node.connections.get() > 50 ? Long.MAX_VALUE : random.nextInt(20_000);
    List<String> expected = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    long millis = 5000;
    try (Forwarder forwarder = start(options())) {
      for (int i = 0; node.connections.get() <= 50; i++) {
        List<String> texts = new ArrayList<>();
        for (int j = random.nextInt(1, 30); j > 0; j--) {
          texts.add(i + " a " + j + "\n" + i + " b\n");
        }
        assertThat(forwarder.send(several(WEB, i, millis, texts))).isTrue();
        millis += texts.size();
        texts.forEach(text -> expected.addAll(text.lines().toList()));
        numbers.add(i);
      }
      flush(forwarder);
      assertThat(forwarder.counters().acknowledged()).isEqualTo(expected.size());
      assertThat(forwarder.counters().pendingBytes()).isZero();
    }
    assertThat(archive.records()).as("seed %d", seed).isEqualTo(expected);
    assertThat(archive.batches()).hasSize((int) (millis - 5000));
    assertThat(archive.batches().getFirst().millis()).isEqualTo(5000);
    assertThat(archive.batches().getLast().millis()).isEqualTo(millis - 1);
    await().atMost(LONG).until(() -> acknowledged.size() >= numbers.size());
    assertThat(acknowledged).isEqualTo(numbers);
  }

  /** More than sockets hold, so that some are acknowledged while the others are on their way. */
  @Test
  void mayBeAcknowledgedOneByOne() {
    List<String> texts = Collections.nCopies(32, "x".repeat(1 << 20) + "\n");
    try (Forwarder forwarder = start(options().windowBytes(64 << 20))) {
      assertThat(forwarder.send(several(Labels.NONE, 1, 5000, texts))).isTrue();
      flush(forwarder);
      assertThat(forwarder.counters().connections().disconnects()).isZero();
    }
    assertThat(archive.count()).isEqualTo(32);
    assertThat(archive.duplicates()).isZero();
  }

  @Test
  void goToANodeOfBeforeWithoutLabels() {
    node.behaviour = Behaviour.WITHOUT_LABELS;
    try (Forwarder forwarder = start(options())) {
      forwarder.send(several(WEB, 1, 5000, List.of("a\nb\n", "c\n", "d\ne\n")));
      flush(forwarder);
      assertThat(forwarder.counters().handling().unlabelled()).isEqualTo(5);
    }
    assertThat(archive.records()).containsExactly("a", "b", "c", "d", "e");
    assertThat(archive.batches()).hasSize(3).allMatch(batch -> batch.labels.isEmpty());
  }

  @Test
  void areStampedAnewTogetherIfOneIsOfTheFuture() {
    long future = System.currentTimeMillis() + Duration.ofDays(3).toMillis();
    node.behaviour = Behaviour.LEAVE;
    try (Forwarder forwarder = start(options())) {
      forwarder.send(bytes("first"));
      await().atMost(LONG).until(() -> archive.duplicates() > 2);
      forwarder.send(several(WEB, 1, future, List.of("a\nb\n", "c\n", "d\n")));
      node.behaviour = Behaviour.ACK;
      flush(forwarder);
    }
    assertThat(archive.records()).containsExactly("first", "a", "b", "c", "d");
    assertThat(archive.batches().getLast().millis()).isLessThan(future - 1_000_000);
  }
}
