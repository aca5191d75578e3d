package io.cordwood.ingest.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uploads over TCP, and what their senders are told. */
class BulkTest {
  private static final int MIB = 1 << 20;

  @TempDir Path folder;

  private static IngestOptions.Bulk bulk(
      long maxBytes, int maxUploads, Duration longestWait, Duration within) {
    return new IngestOptions.Bulk(0, maxBytes, maxUploads, longestWait, 1 << 10, within);
  }

  private RunningNode node(IngestOptions.Bulk bulk) throws IOException {
    return new RunningNode(RunningNode.options(folder).withBulk(bulk));
  }

  private static Socket connect(RunningNode node) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), node.node.bulkPort());
    socket.setSoTimeout((int) RunningNode.PATIENCE.toMillis());
    return socket;
  }

  private static CompletableFuture<String> upload(RunningNode node, byte[] bytes) {
    var answer = new CompletableFuture<String>();
    Thread.ofVirtual()
        .start(() -> {
          try (Socket socket = connect(node)) {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            answer.complete(answer(socket));
          } catch (IOException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private static CompletableFuture<String> upload(RunningNode node, String text) {
    return upload(node, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static byte[] batches(int count, Ulid first) {
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(Records.wire(Records.lines(first.plus(i), "record " + i)));
    }
    return all.toByteArray();
  }

  /** Uploads that have begun and not ended. */
  private static double opened(RunningNode node) {
    return node.registry.get("cordwood_ingest_uploads_open").gauge().value();
  }

  private static Ulid now() {
    return new UlidStamper(InstantSource.system()).stamp(1);
  }

  private static void awaitRefusal(RunningNode node, String reason) throws IOException {
    await().until(() -> node.counted("uploads", "outcome", reason) == 1);
    assertThat(node.log().claims().waiting()).isZero();
    assertThat(node.files()).noneMatch(name -> name.contains(".uploading"));
    node.assertLedgerIsExact();
  }

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
  void corruptBatchRefusesAllOfTheUploadAndSaysWhere() throws Exception {
    byte[] bytes = batches(10, now());
    int each = bytes.length / 10;
    bytes[7 * each + 60 % each] ^= 1;
    try (var node = RunningNode.in(folder)) {
      assertThat(upload(node, bytes).get()).startsWith("error: at byte " + 7 * each + ": ");
      awaitRefusal(node, "malformed");
    }
  }

  @Test
  void batchCutByTheEndRefusesAllOfTheUpload() throws Exception {
    byte[] bytes = batches(3, now());
    byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
    try (var node = RunningNode.in(folder)) {
      assertThat(upload(node, cut).get())
          .startsWith("error: at byte " + bytes.length / 3 * 2)
          .contains("upload's end");
      awaitRefusal(node, "malformed");
    }
  }

  @Test
  void resetInTheMiddleLeavesNothing() throws Exception {
    try (var node = RunningNode.in(folder)) {
      try (Socket socket = connect(node)) {
        socket.getOutputStream().write(new byte[MIB]);
        await().until(() -> node.files().stream().anyMatch(name -> name.endsWith(".uploading")));
        socket.setSoLinger(true, 0);
      }
      awaitRefusal(node, "cut");
    }
  }

  @Test
  void asManyBatchesAreTakenAsAStoreCanIndexAndNotOneMore() throws Exception {
    byte[] most = batches(UploadTarget.MAX_BATCHES, now());
    byte[] last = batches(1, now());
    byte[] oneMore = Arrays.copyOf(most, most.length + last.length);
    System.arraycopy(last, 0, oneMore, most.length, last.length);
    try (var node = RunningNode.in(folder)) {
      assertThat(upload(node, oneMore).get())
          .isEqualTo("error: expected at most 262144 batches in an upload, found more\n");
      awaitRefusal(node, "too_large");
      var answer = upload(node, most);
      assertThat(node.consume(UploadTarget.MAX_BATCHES)).hasSize(UploadTarget.MAX_BATCHES);
      assertThat(answer.get()).isEqualTo("ack " + UploadTarget.MAX_BATCHES + "\n");
    }
  }

  @Test
  void tooLargeAnUploadIsRefused() throws Exception {
    try (var node = node(bulk(MIB, 4, Duration.ofSeconds(20), Duration.ofSeconds(20)))) {
      assertThat(upload(node, new byte[MIB + 1]).get())
          .isEqualTo("error: expected an upload of at most 1048576 bytes, found more\n");
      awaitRefusal(node, "too_large");
    }
  }

  @Test
  void uploadThatDribblesIsEnded() throws Exception {
    try (var node = node(bulk(MIB, 4, Duration.ofSeconds(20), Duration.ofMillis(300)));
        Socket socket = connect(node)) {
      socket.getOutputStream().write("and then nothing\n".getBytes(StandardCharsets.UTF_8));
      assertThat(answer(socket)).startsWith("error: expected the end of the upload, or 1024 bytes");
      awaitRefusal(node, "slow");
    }
  }

  @Test
  void moreUploadsThanThereAreTurnsWaitAndAreToldSo() throws Exception {
    try (var node = node(bulk(MIB, 1, Duration.ofMillis(500), Duration.ofSeconds(20)));
        Socket first = connect(node)) {
      first.getOutputStream().write('x');
      await().until(() -> opened(node) == 1);
      assertThat(upload(node, "second\n").get()).startsWith("error: expected at most 1 uploads");
      first.shutdownOutput();
      assertThat(answer(first)).contains("is kept and will be");
      assertThat(node.counted("uploads", "outcome", "busy")).isOne();
      assertThat(node.counted("uploads_late")).isOne();
      assertThat(RunningNode.text(node.consume(1))).isEqualTo("x\n");
      node.assertLedgerIsExact();
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

  @ParameterizedTest
  @CsvSource({"CREATE", "WRITE", "FORCE", "RENAME", "FORCE_FOLDER"})
  void diskThatFailsIsNoAcknowledgementAndLeavesNothing(Call failing) throws Exception {
    var broken = new AtomicBoolean();
    var files = new FaultyFilesystem((call, _) -> call == failing && broken.get());
    try (var node = new RunningNode(RunningNode.options(folder), files)) {
      broken.set(true);
      assertThat(upload(node, "not kept\n").get()).startsWith("error: the disk fails");
      broken.set(false);
      awaitRefusal(node, "disk_error");
      var answer = upload(node, "kept\n");
      assertThat(RunningNode.text(node.consume(1))).isEqualTo("kept\n");
      assertThat(answer.get()).isEqualTo("ack 1\n");
    }
  }

  @Test
  void uploadThatACrashCutIsDroppedAndOneThatWasFlushedIsKept() throws Exception {
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, "flushed\n");
      await().until(() -> node.log().claims().waiting() == 1);
      assertThat(answer).isNotDone();
    }
    Path cut = folder.resolve(now() + ".uploading");
    try (var files = Files.list(folder)) {
      Path flushed = files.filter(f -> f.toString().endsWith(".flushed")).findFirst().orElseThrow();
      Files.copy(flushed, cut);
    }
    try (var node = new RunningNode(RunningNode.options(folder), Filesystem.real())) {
      assertThat(cut).doesNotExist();
      assertThat(node.counted("uploads_cut_by_crash")).isOne();
      assertThat(RunningNode.text(node.consume(1))).isEqualTo("flushed\n");
      assertThat(node.log().claims().waiting()).isZero();
    }
  }

  @Test
  void closingNodeRefusesWhatHasNotEndedAndKeepsWhatHas() throws Exception {
    CompletableFuture<String> waiting;
    var node = RunningNode.in(folder);
    try (Socket open = connect(node)) {
      waiting = upload(node, "kept\n");
      open.getOutputStream().write("not ended\n".getBytes(StandardCharsets.UTF_8));
      await().until(() -> node.log().claims().waiting() == 1);
      await().until(() -> opened(node) == 1); // The other one.
      node.close();
      assertThat(answer(open)).isEqualTo("error: the node is being closed\n");
    }
    assertThat(waiting.get()).contains("the node is being closed", "is kept and will be");
    try (var next = RunningNode.in(folder)) {
      assertThat(RunningNode.text(next.consume(1))).isEqualTo("kept\n");
      assertThat(next.log().claims().waiting()).isZero();
    }
  }
}
