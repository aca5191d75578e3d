package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.TestNode.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Labels go with each batch, and never hold one up. */
final class SentLabelsTest extends NodeFixture {
  private static final Labels WEB = Labels.of(Map.of("host", "a", "app", "größe x"));

  private final List<Target> withoutLabels = new CopyOnWriteArrayList<>();
  private final ForwarderListener listener =
      new ForwarderListener() {
        @Override
        public void labelsLeftOut(Target node) {
          withoutLabels.add(node);
        }
      };

  @TempDir private Path folder;

  @AfterEach
  void awaitKeepers() {
    await().atMost(LONG).until(() -> AppenderFixture.threadsNamed(SpoolKeeper.THREAD_NAME) == 0);
  }

  private Forwarder startLabelled(ForwarderOptions.Builder options, Labels labels) {
    return Forwarder.start(options.labels(labels).build(), listener);
  }

  private ForwarderOptions.Builder spooling() {
    return options()
        .windowBytes(ForwarderOptions.MIN_WINDOW_WITH_SPOOL_BYTES)
        .spool(new SpoolOptions(folder, SpoolOptions.DEFAULT_BYTES));
  }

  private static PreparedBatch prepared(String host, int number) {
    var origin = new Origin("t", Labels.of(Map.of("host", host)));
    int at = PreparedBatch.payloadAt(origin);
    byte[] bytes = new byte[at + 100];
    System.arraycopy(bytes(host + "\n"), 0, bytes, at, host.length() + 1);
    var batch = new PreparedBatch(origin, bytes, () -> {});
    batch.takeLines(host.length() + 1);
    batch.stamp((System.currentTimeMillis() << 16) | number, (long) number << 32);
    return batch;
  }

  private static List<String> texts(ReceivedBatch batch) {
    return batch.records().stream().map(record -> new String(record, US_ASCII)).toList();
  }

  private List<String> received() {
    return archive.batches().stream()
        .flatMap(batch -> texts(batch).stream().map(text -> text + batch.labels))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"0, ACK", "2097152, ACK_AT_END"})
  void everyBatchHasThem(int uploadBytes, Behaviour behaviour) {
    node.behaviour = behaviour;
    var options = options().uploadBytes(uploadBytes).linger(Duration.ZERO).batchBytes(4096);
    try (Forwarder forwarder = startLabelled(options, WEB)) {
      for (int i = 0; i < 100; i++) {
        forwarder.send(bytes("x".repeat(999)));
      }
      flush(forwarder);
      assertThat(forwarder.counters().handling().unlabelled()).isZero();
      assertThat(forwarder.counters().connections().disconnects()).isZero();
    }
    assertThat(archive.count()).isEqualTo(100);
    assertThat(archive.batches()).allMatch(b -> b.labels.equals("\napp=größe x\nhost=a"));
    assertThat(withoutLabels).isEmpty();
  }

  @Test
  void aBatchNeverMixesTwoSets() {
    try (Forwarder forwarder = startLabelled(options().linger(Duration.ofHours(1)), WEB)) {
      for (int i = 0; i < 50; i++) {
        forwarder.send(bytes("own"));
        forwarder.send(prepared("h" + i % 3, i));
      }
      flush(forwarder);
    }
    assertThat(archive.batches())
        .hasSizeGreaterThan(50)
        .allSatisfy(batch -> {
          List<String> records = texts(batch).stream().distinct().toList();
          String labels =
              records.contains("own") ? "\napp=größe x\nhost=a" : "\nhost=" + records.get(0);
          assertThat(records).hasSize(1);
          assertThat(batch.labels).isEqualTo(labels);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"WITHOUT_LABELS", "WITHOUT_CLOCK", "WITHOUT_HINTS"})
  void aNodeOfBeforeGetsTheRecordsWithoutThem(Behaviour behaviour) {
    node.behaviour = behaviour;
    try (Forwarder forwarder = startLabelled(options(), WEB)) {
      for (int i = 0; i < 10; i++) {
        forwarder.send(bytes("record " + i));
        flush(forwarder);
      }
      assertThat(forwarder.counters().handling().unlabelled()).isEqualTo(10);
      assertThat(forwarder.counters().acknowledged()).isEqualTo(10);
      assertThat(node.connections).hasValueLessThanOrEqualTo(4);
    }
    assertThat(archive.count()).isEqualTo(10);
    assertThat(archive.batches()).allMatch(batch -> batch.labels.isEmpty());
    assertThat(withoutLabels).containsExactly(node.target());
  }

  @Test
  void anUploadToANodeOfBeforeIsWithoutThem() {
    node.behaviour = Behaviour.WITHOUT_LABELS;
    try (Forwarder forwarder = startLabelled(options().uploadBytes(2 << 20), WEB)) {
      forwarder.send(bytes("record"));
      flush(forwarder);
    }
    assertThat(received()).containsExactly("record");
  }

  @Test
  void nobodyIsToldWhereThereAreNone() {
    node.behaviour = Behaviour.WITHOUT_LABELS;
    try (Forwarder forwarder = startLabelled(options(), Labels.NONE)) {
      forwarder.send(bytes("record"));
      flush(forwarder);
      assertThat(forwarder.counters().handling().unlabelled()).isZero();
    }
    assertThat(withoutLabels).isEmpty();
  }

  /** With labels here and without them there, it would be two batches. */
  @Test
  void whatWasSentWithoutThemOnceStaysSo() throws IOException {
    node.behaviour = Behaviour.WITHOUT_LABELS;
    TestNode other = new TestNode(archive);
    other.close();
    try (Forwarder forwarder = startLabelled(options().target(other.target()), WEB)) {
      forwarder.send(bytes("first"));
      flush(forwarder);
      other = new TestNode(archive, other.port());
      node.behaviour = Behaviour.LEAVE;
      forwarder.send(bytes("second"));
      flush(forwarder);
      forwarder.send(bytes("third"));
      flush(forwarder);
      assertThat(archive.duplicates()).isPositive();
    } finally {
      other.close();
    }
    assertThat(received()).containsExactly("first", "second", "third\napp=größe x\nhost=a");
    assertThat(other.faults).isEmpty();
  }

  @Test
  void theSpoolKeepsThoseOfEachBatch() throws IOException {
    node.close();
    leave("of before", WEB);
    leave("of today", Labels.of(Map.of("host", "b")));
    startNodeAgain();
    try (Forwarder forwarder = startLabelled(spooling(), Labels.NONE)) {
      forwarder.send(bytes("of now"));
      flush(forwarder);
    }
    assertThat(received())
        .containsExactly("of before\napp=größe x\nhost=a", "of today\nhost=b", "of now");
  }

  @Test
  void spooledBatchesGoToANodeOfBeforeWithoutThem() throws IOException {
    node.close();
    leave("of before", WEB);
    startNodeAgain();
    node.behaviour = Behaviour.WITHOUT_LABELS;
    try (Forwarder forwarder = startLabelled(spooling(), WEB)) {
      flush(forwarder);
      assertThat(forwarder.counters().handling().unlabelled()).isOne();
    }
    assertThat(received()).containsExactly("of before");
  }

  private void leave(String record, Labels labels) throws IOException {
    Forwarder forwarder = startLabelled(spooling(), labels);
    await().until(() -> Files.exists(folder.resolve("lock")));
    forwarder.send(bytes(record));
    assertThat(forwarder.close(Duration.ZERO, LONG).isNothing()).isTrue();
    awaitKeepers();
  }
}
