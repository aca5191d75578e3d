package io.cordwood.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is at a limit of a format, or one below, comes back byte-exact from every node after
 * each step: received on a socket, stored, sent to a replica, merged, compacted, opened again. One
 * above, it is refused, and nothing of it is kept.
 */
final class LimitsLifeTest {
  private static final int HALF = BatchHeader.MAX_PAYLOAD_BYTES / 2 - 1;

  @TempDir private Path folder;
  private final UlidStamper stamper = new UlidStamper(InstantSource.system());
  private final List<Batch> batches = new ArrayList<>();

  private LivingCluster start() throws IOException {
    var shape = new LivingCluster.Shape(1, 2, 2, Duration.ofDays(7));
    return new LivingCluster(folder, shape, InstantSource.system());
  }

  private static byte[] record(int bytes) {
    byte[] record = new byte[bytes];
    Arrays.fill(record, (byte) 'r');
    return record;
  }

  private Batch batch(Topic topic, List<byte[]> records) {
    return Records.batch(topic, Delimiter.LF, stamper.stamp(records.size()), records);
  }

  private void add(String topic, byte[]... records) {
    batches.add(batch(new Topic(topic), List.of(records)));
  }

  private void addEmptyRecords(int count) {
    byte[] lines = new byte[count];
    Arrays.fill(lines, (byte) '\n');
    batches.add(
        new Batch(
            new Topic("empty"), Delimiter.LF, stamper.stamp(count), count, ByteBuffer.wrap(lines)));
  }

  private void addAll() {
    add("t".repeat(Topic.MAX_BYTES - 1), record(1));
    add("t".repeat(Topic.MAX_BYTES), record(1));
    add("record", record(BatchHeader.MAX_RECORD_BYTES - 1));
    add("record", record(BatchHeader.MAX_RECORD_BYTES));
    add("payload", record(HALF), record(HALF - 1));
    add("payload", record(HALF), record(HALF));
    addEmptyRecords(BatchHeader.MAX_PAYLOAD_BYTES - 1);
    addEmptyRecords(BatchHeader.MAX_PAYLOAD_BYTES);
  }

  /** Sends each batch as a segment of its own, and waits until stores have it. */
  private void sendAll(LivingCluster cluster) throws IOException {
    for (Batch batch : batches) {
      try (var sender = new Sender(cluster.senderPorts(0).get(1))) {
        sender.send(Records.wire(batch));
        assertThat(sender.end()).endsWith("ack " + batch.records() + "\n");
      }
      await().until(() -> cluster.isConsumed(0));
    }
  }

  private void assertAllIsFound(LivingCluster cluster) throws IOException {
    List<Topic> topics = batches.stream().map(Batch::topic).distinct().toList();
    for (Topic topic : topics) {
      var expected = new StringBuilder();
      batches.stream()
          .filter(batch -> batch.topic().equals(topic))
          .forEach(batch -> expected.append(ISO_8859_1.decode(batch.payload().duplicate())));
      for (int node = 0; node < cluster.size(); node++) {
        Answer answer = Answer.get(cluster.apiPort(node), "/query?topic=" + topic);
        boolean same = new String(answer.body(), ISO_8859_1).contentEquals(expected);
        assertThat(same).as("of %s, by node %d", topic, node).isTrue();
      }
    }
  }

  private void assertAllIsOn(LivingCluster cluster, int store) throws IOException {
    for (Batch batch : batches) {
      String path =
          "/query?here=true&count=true&from=%s&to=%s&topic=%s"
              .formatted(batch.range().from(), batch.range().to(), batch.topic());
      assertThat(Answer.get(cluster.apiPort(store), path).text())
          .as("of %s, on store %d alone", batch.topic(), store)
          .isEqualTo(batch.records() + "\n");
    }
  }

  @Test
  void whatIsAtALimitComesBackWhateverHasBecomeOfIt() throws IOException {
    addAll();
    try (var cluster = start()) {
      sendAll(cluster);
      assertAllIsFound(cluster);
      sendAll(cluster); // Again: segments of the same batches are merged, whatever their size.
      await().until(() -> cluster.merges() > 1);
      assertAllIsFound(cluster);
      cluster.restartStore(0);
      cluster.restartStore(1);
      assertAllIsFound(cluster);
      for (int store = 1; store < cluster.size(); store++) {
        assertAllIsOn(cluster, store);
      }
    }
  }

  @Test
  void oneAboveALimitIsRefusedAndNothingOfItIsKept() throws IOException {
    byte[] topic = Records.wire(batch(new Topic("t".repeat(Topic.MAX_BYTES)), List.of(record(1))));
    byte[] longTopic = Arrays.copyOf(topic, topic.length + 1);
    ByteBuffer.wrap(longTopic).putShort(6, (short) (Topic.MAX_BYTES + 1));
    byte[] payload = Records.wire(batch(new Topic("x"), List.of(record(HALF), record(HALF))));
    byte[] longPayload = Arrays.copyOf(payload, payload.length + 1);
    ByteBuffer.wrap(longPayload).putInt(12, BatchHeader.MAX_PAYLOAD_BYTES + 1);
    byte[] longRecord =
        Records.wire(batch(new Topic("x"), List.of(record(BatchHeader.MAX_RECORD_BYTES + 1))));
    try (var cluster = start()) {
      for (byte[] wire : List.of(longTopic, longPayload, longRecord)) {
        try (var sender = new Sender(cluster.senderPorts(0).get(1))) {
          assertThat(sender.send(wire).rest()).contains("error: ").doesNotContain("ack");
        }
      }
      String longest = "t".repeat(Topic.MAX_BYTES);
      try (var sender = new Sender(cluster.senderPorts(0).get(0))) {
        assertThat(sender.send("CORDWOOD/1 topic=" + longest + "t\nline\n").rest())
            .contains("error: ");
      }
      try (var sender = new Sender(cluster.senderPorts(0).get(0))) {
        sender.send("CORDWOOD/1 topic=" + longest + "\nline\n").end();
      }
      await().until(() -> cluster.isConsumed(0));
      for (int node = 0; node < cluster.size(); node++) {
        assertThat(Answer.get(cluster.apiPort(node), "/query").text()).isEqualTo("line\n");
      }
    }
  }
}
