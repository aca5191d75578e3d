package io.cordwood.ingest.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uploads over TCP, and what their senders are told. */
final class BulkTest extends BulkFixture {
  @Test
  void uploadIsOneSegmentAndAcknowledgedOnlyAtItsCommit() throws Exception {
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, "one\ntwo\n\nthree");
      var claimed = node.claim(RunningNode.PATIENCE).orElseThrow();
      assertThat(answer).isNotDone();
      try (ReadableFile file = node.log().claims().read(claimed.id())) {
        assertThat(RunningNode.text(RunningNode.batches(file))).isEqualTo("one\ntwo\nthree\n");
      }
      assertThat(answer).isNotDone();
      node.log().claims().commit(claimed.id());
      assertThat(answer.get()).isEqualTo("ack 3\n");
      assertThat(node.counted("blank_lines_ignored")).isOne();
      node.assertLedgerIsExact();
    }
  }

  @Test
  void failedClaimIsNoAcknowledgement() throws Exception {
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, "one\n");
      var claimed = node.claim(RunningNode.PATIENCE).orElseThrow();
      node.log().claims().fail(claimed.id());
      assertThat(node.log().claims().waiting()).isOne();
      assertThat(answer).isNotDone();
      assertThat(RunningNode.text(node.consume(1))).isEqualTo("one\n");
      assertThat(answer.get()).isEqualTo("ack 1\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CORDWOOD/1 topic=app,         app",
    "CORDWOOD/1,                   default",
    "'CORDWOOD/1 topic=app\r',     app"
  })
  void preambleNamesTheTopicAndIsNoRecord(String preamble, String topic) throws Exception {
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, preamble + "\nCORDWOOD/1 is data here\n");
      List<Batch> batches = node.consume(1);
      assertThat(batches).singleElement().extracting(b -> b.topic().name()).isEqualTo(topic);
      assertThat(RunningNode.text(batches)).isEqualTo("CORDWOOD/1 is data here\n");
      assertThat(answer.get()).isEqualTo("ack 1\n");
      node.assertLedgerIsExact();
    }
  }

  @ParameterizedTest
  @CsvSource({"CORDWOOD/1 topic=../x", "CORDWOOD/1 tropic=x", "CORDWOOD/1 topic="})
  void badPreambleIsRefused(String preamble) throws Exception {
    try (var node = RunningNode.in(folder)) {
      assertThat(upload(node, preamble + "\nline\n").get()).startsWith("error: in the preamble: ");
      awaitRefusal(node, "malformed");
    }
  }

  @Test
  void linesComeBackByteForByte() throws Exception {
    var lines = new ByteArrayOutputStream();
    for (int i = 0; i < 40; i++) {
      lines.writeBytes("x".repeat(i * 40_000 % MIB).getBytes(StandardCharsets.UTF_8));
      lines.write(new byte[] {(byte) 0xFC, (byte) ('0' + i), 0, '\r', '\n'});
    }
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, lines.toByteArray());
      assertThat(RunningNode.bytes(node.consume(40))).isEqualTo(lines.toByteArray());
      assertThat(answer.get()).isEqualTo("ack 40\n");
    }
  }

  @Test
  void lineLongerThanARecordBecomesSeveral() throws Exception {
    String line = "y".repeat(2 * MIB + 10);
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, "short\n" + line + "\nlast\n");
      String text = RunningNode.text(node.consume(5));
      assertThat(text.replace("\n", "")).isEqualTo("short" + line + "last");
      assertThat(answer.get()).isEqualTo("ack 5\n");
    }
  }

  @Test
  void batchesAreKeptAsTheyWereStamped() throws Exception {
    Ulid first = now();
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, batches(1000, first));
      List<Batch> stored = node.consume(1000);
      assertThat(stored.stream().map(Batch::first))
          .containsExactlyElementsOf(IntStream.range(0, 1000).mapToObj(first::plus).toList());
      assertThat(answer.get()).isEqualTo("ack 1000\n");
      node.assertLedgerIsExact();
    }
  }

  @Test
  void senderOfBatchesIsToldToWaitUntilTheyAreOnTheStores() throws Exception {
    try (var node = node(bulk(MIB, 4, Duration.ofMillis(50), Duration.ofSeconds(20)));
        Socket socket = connect(node)) {
      socket.getOutputStream().write(batches(1, now()));
      socket.shutdownOutput();
      await().until(() -> node.counted("uploads_late") >= 2);
      node.consume(1);
      assertThat(answer(socket)).matches("(wait: segment \\w{26} is kept, .*\n){2,}ack 1\n");
    }
  }

  @Test
  void senderOfBatchesThatLeavesIsNotWaitedFor() throws Exception {
    try (var node = node(bulk(MIB, 4, Duration.ofMillis(50), Duration.ofSeconds(20)))) {
      try (Socket socket = connect(node)) {
        socket.getOutputStream().write(batches(1, now()));
        socket.shutdownOutput();
        await().until(() -> node.log().claims().waiting() == 1);
      }
      await()
          .until(() -> node.registry.get("cordwood_ingest_bulk_connections").gauge().value() == 0);
      assertThat(node.consume(1)).hasSize(1);
    }
  }

  @Test
  void batchesOfThePastKeepTheirTimesAfterAPreambleThatSaysSo() throws Exception {
    Ulid old = new UlidStamper(InstantSource.fixed(Instant.EPOCH)).stamp(1);
    var upload = new ByteArrayOutputStream();
    upload.writeBytes("CORDWOOD/1 times=kept\n".getBytes(StandardCharsets.US_ASCII));
    upload.writeBytes(batches(2, old));
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, upload.toByteArray());
      assertThat(node.consume(2)).allMatch(batch -> batch.first().millis() == 0);
      assertThat(answer.get()).isEqualTo("ack 2\n");
      assertThat(node.counted("batches_restamped")).isZero();
    }
  }

  @Test
  void batchesFarOffTheClockAreStampedAnew() throws Exception {
    Ulid old = new UlidStamper(InstantSource.fixed(Instant.EPOCH)).stamp(1);
    var mixed = new ByteArrayOutputStream();
    mixed.writeBytes(batches(2, now()));
    mixed.writeBytes(batches(2, old));
    mixed.writeBytes(batches(2, now()));
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, mixed.toByteArray());
      assertThat(node.consume(6)).allMatch(batch -> batch.first().millis() > 1_000_000);
      assertThat(answer.get()).isEqualTo("ack 6\n");
      assertThat(node.counted("batches_restamped")).isEqualTo(2);
    }
  }

  @Test
  void emptyUploadIsNothing() throws Exception {
    try (var node = RunningNode.in(folder)) {
      assertThat(upload(node, "").get()).isEqualTo("ack 0\n");
      assertThat(upload(node, "\n\n").get()).isEqualTo("ack 0\n");
      assertThat(upload(node, "CORDWOOD/1 topic=app\n").get()).isEqualTo("ack 0\n");
      assertThat(node.log().claims().waiting()).isZero();
      assertThat(node.files()).noneMatch(name -> name.contains(".uploading"));
      node.assertLedgerIsExact();
    }
  }

  @Test
  void manyAtOnceAreEachAcknowledged() throws Exception {
    try (var node = RunningNode.in(folder)) {
      List<CompletableFuture<String>> answers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        answers.add(upload(node, ("from " + i + "\n").repeat(100)));
      }
      assertThat(node.consume(4000)).hasSize(40);
      for (var answer : answers) {
        assertThat(answer.get()).isEqualTo("ack 100\n");
      }
      node.assertLedgerIsExact();
    }
  }
}
