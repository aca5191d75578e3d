package io.cordwood.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each topic has an account of its own, and what has no topic has one too. */
class LedgerTest {
  private static final int CHECKSUM_AT = 32;

  @TempDir Path folder;
  private final UlidStamper stamper = new UlidStamper(InstantSource.system());

  private byte[] batch(String topic, String... records) {
    return Records.wire(Records.lines(new Topic(topic), stamper.stamp(records.length), records));
  }

  private static byte[] joined(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  private static long none(RunningNode node, String what, RejectReason reason) {
    return node.counted(what + "_rejected", "topic", Ledger.NO_TOPIC, "reason", reason.label());
  }

  @Test
  void linesAreCountedUnderTheDefaultTopic() throws IOException {
    try (var node = RunningNode.in(folder)) {
      node.send("one\n\ntwo");
      assertThat(node.counted("records_stored", "topic", "default")).isEqualTo(2);
      assertThat(node.counted("bytes_stored", "topic", "default")).isEqualTo(7);
      assertThat(node.counted("bytes_rejected", "topic", "default", "reason", "blank"))
          .isEqualTo(1);
    }
  }

  @Test
  void batchesOfSeveralTopicsOnOneConnectionAreCountedEach() throws IOException {
    try (var node = RunningNode.in(folder)) {
      byte[] a = batch("a", "1");
      byte[] b = batch("b", "2", "3");
      byte[] more = batch("a", "4");
      assertThat(node.send(joined(a, b, b, more))).endsWith("ack 6\n");
      assertThat(node.counted("records_stored", "topic", "a")).isEqualTo(2);
      assertThat(node.counted("records_stored", "topic", "b")).isEqualTo(4);
      assertThat(node.counted("bytes_stored", "topic", "a")).isEqualTo(a.length + more.length);
      assertThat(node.counted("bytes_stored", "topic", "b")).isEqualTo(2L * b.length);
      List<Batch> stored = node.consume(6);
      assertThat(stored.stream().map(batch -> batch.topic().name()))
          .containsExactly("a", "b", "b", "a");
    }
  }

  @Test
  void badBatchOpensNoAccount() throws IOException {
    try (var node = RunningNode.in(folder)) {
      byte[] corrupt = batch("corrupt", "1", "2");
      corrupt[corrupt.length - 2] ^= 1;
      byte[] cut = batch("cut", "3");
      node.send(corrupt);
      node.send(Arrays.copyOf(cut, cut.length - 1));
      assertThat(node.topics()).containsExactly(Ledger.NO_TOPIC, "default");
      assertThat(none(node, "records", RejectReason.CORRUPT)).isEqualTo(2);
      assertThat(none(node, "bytes", RejectReason.CORRUPT)).isEqualTo(corrupt.length);
      assertThat(none(node, "bytes", RejectReason.CUT)).isEqualTo(cut.length - 1);
    }
  }

  @Test
  void nameOfAnotherCharacterOpensNoAccount() throws IOException {
    try (var node = RunningNode.in(folder)) {
      var bad = ByteBuffer.wrap(batch("a_b", "1"));
      bad.put(BatchHeader.BYTES + 1, (byte) '/');
      bad.putInt(CHECKSUM_AT, BatchHeader.checksum(bad, 0, 3, bad.slice(BatchHeader.BYTES + 3, 2)));
      assertThat(node.send(bad.array()))
          .startsWith("error: at byte 0: expected a topic of ")
          .contains("found \"a/b\"");
      assertThat(node.topics()).containsExactly(Ledger.NO_TOPIC, "default");
    }
  }

  @Test
  void whatTheDiskNeverTookIsRejectedUnderItsTopic() throws IOException {
    var files = new FaultyFilesystem((call, _) -> call == Call.WRITE);
    var node = new RunningNode(RunningNode.options(folder), files);
    try (Socket lines = node.connect();
        Socket batches = node.connect()) {
      lines.getOutputStream().write("one\ntwo\nunfinished".getBytes(StandardCharsets.UTF_8));
      batches.getOutputStream().write(batch("shop", "1", "2", "3"));
      await().until(() -> node.counted("records_received") == 5);
    } finally {
      node.close();
    }
    assertThat(node.counted("records_rejected", "topic", "default", "reason", "closed"))
        .isEqualTo(2);
    assertThat(node.counted("bytes_rejected", "topic", "default", "reason", "closed"))
        .isEqualTo(18);
    assertThat(node.counted("records_rejected", "topic", "shop", "reason", "closed")).isEqualTo(3);
  }
}
