package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever call fails: nothing that was acknowledged is lost, and nothing comes twice. */
class DiskFaultsTest {
  private static final int CALLS = 24;
  private static final int RECORDS = 6;

  @TempDir Path folder;

  private static IngestOptions smallSegments(Path folder) {
    return RunningNode.options(folder)
        .with(new IngestOptions.Flushing(200, Duration.ofMillis(20), Duration.ofMillis(5), 64));
  }

  private static void sendAndAwaitAcks(RunningNode node) throws IOException {
    var stamper = new UlidStamper(InstantSource.system());
    try (Socket socket = node.connect()) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] batch = Records.wire(Records.lines(stamper.stamp(1), "record " + i));
        socket.getOutputStream().write(batch);
        String ack = "ack " + (i + 1) + "\n";
        assertThat(socket.getInputStream().readNBytes(ack.length())).asString().isEqualTo(ack);
      }
    }
  }

  private static void assertAllOnce(RunningNode node) throws IOException {
    assertThat(RunningNode.text(node.consume(RECORDS)).lines())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, RECORDS).mapToObj(i -> "record " + i).toList());
  }

  @Test
  void oneErrorAtAnyCallLosesNothingAndDoublesNothing() throws IOException {
    for (long failing = 1; failing < CALLS; failing++) {
      long at = failing;
      var files = new FaultyFilesystem((_, number) -> number == at);
      try (var node = new RunningNode(smallSegments(folder.resolve("at" + at)), files)) {
        sendAndAwaitAcks(node);
        assertAllOnce(node);
        node.assertLedgerIsExact();
      } catch (AssertionError | IOException e) {
        throw new AssertionError("with an error at call " + at, e);
      }
    }
  }

  @Test
  void forceErrorIsNeverTakenForFlushed() throws IOException {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    try (var node = new RunningNode(smallSegments(folder), files)) {
      sendAndAwaitAcks(node);
      await().until(() -> node.counted("flush_errors") >= 3);
      assertThat(node.log().claims().waiting()).isZero();
      assertThat(node.files()).noneMatch(name -> name.endsWith(".flushed"));
      failing.set(false);
      assertAllOnce(node);
      await().until(node.node::isEmpty);
    }
  }

  @Test
  void writesThatFailForAWhilePauseReadingAndGoOnByThemselves() throws IOException {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.WRITE && failing.get());
    try (var node = new RunningNode(RunningNode.options(folder), files);
        Socket socket = node.connect()) {
      socket.getOutputStream().write("kept\n".getBytes(StandardCharsets.UTF_8));
      await().until(() -> node.counted("pauses", "reason", "disk") >= 2);
      assertThat(node.counted("records_stored")).isZero();
      socket.getOutputStream().write("and more\n".getBytes(StandardCharsets.UTF_8));
      failing.set(false);
      assertThat(RunningNode.text(node.consume(2))).isEqualTo("kept\nand more\n");
    }
  }

  @Test
  void slowFlusherPausesReading() throws IOException {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    var options =
        RunningNode.options(folder)
            .with(new IngestOptions.Flushing(100, Duration.ofHours(1), Duration.ofMillis(5), 2));
    try (var node = new RunningNode(options, files);
        Socket socket = node.connect()) {
      for (int i = 0; i < 20; i++) {
        socket
            .getOutputStream()
            .write("x".repeat(99).concat("\n").getBytes(StandardCharsets.UTF_8));
        int sent = i + 1;
        await()
            .until(() ->
                node.counted("records_received") == sent
                    || node.counted("pauses", "reason", "flusher") > 0);
      }
      assertThat(node.counted("records_stored")).isLessThan(5);
      failing.set(false);
      assertThat(RunningNode.count(node.consume(20))).isEqualTo(20);
    }
  }

  @Test
  void fullDiskPausesReadingAndGoesOnWhenThereIsSpace() throws Exception {
    try (var disk = SmallDisk.orSkip(folder)) {
      fillAndFree(disk);
    }
  }

  private static void fillAndFree(SmallDisk disk) throws IOException, InterruptedException {
    String line = "x".repeat(1023) + "\n";
    try (var node = new RunningNode(RunningNode.options(disk.data()))) {
      Thread sender = Thread.ofVirtual().start(() -> sendLines(node, line, 4096));
      await().until(() -> node.counted("pauses", "reason", "disk") > 0);
      disk.assertReserveIsLeft();
      disk.free();
      List<Batch> batches = node.consume(4096);
      assertThat(RunningNode.bytes(batches)).hasSize(4096 * 1024);
      assertThat(sender.join(RunningNode.PATIENCE)).isTrue();
      node.assertLedgerIsExact();
    }
  }

  private static void sendLines(RunningNode node, String line, int count) {
    try (Socket socket = node.connect()) {
      for (int i = 0; i < count; i++) {
        socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
