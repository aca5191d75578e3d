package io.cordwood.ingest.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.segment.Records;
import io.cordwood.common.wire.Labels;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uploads that are refused, cut or too many, of which nothing is stored. */
final class BulkRefusalsTest extends BulkFixture {
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

  /** Equal ones count once. */
  @Test
  void asManyLabelsAreTakenAsAStoreCanHoldAndNotOneMore() throws Exception {
    String rest = "x".repeat(Labels.MAX_BYTES - 20);
    Batch each = Records.lines(now(), "a").labelled(Labels.of(Map.of("pod", "10000" + rest)));
    int most = BatchIndex.MAX_LABEL_BYTES / BatchIndex.heldBytes(each.labels());
    var sent = new ByteArrayOutputStream();
    for (int i = 0; i < 2 * most; i++) {
      Labels labels = Labels.of(Map.of("pod", 10_000 + i % most + rest));
      sent.writeBytes(Records.wire(each.labelled(labels)));
    }
    try (var node = RunningNode.in(folder)) {
      var answer = upload(node, sent.toByteArray());
      assertThat(node.consume(2L * most)).hasSize(2 * most);
      assertThat(answer.get()).isEqualTo("ack " + 2 * most + "\n");
      sent.writeBytes(Records.wire(each.labelled(Labels.of(Map.of("pod", "other" + rest)))));
      assertThat(upload(node, sent.toByteArray()).get())
          .isEqualTo(
              "error: expected different sets of labels of at most 16777216 bytes in an upload,"
                  + " found more\n");
      awaitRefusal(node, "too_large");
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
      await().until(() -> node.counted("uploads", "outcome", "flushed") == 1);
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
