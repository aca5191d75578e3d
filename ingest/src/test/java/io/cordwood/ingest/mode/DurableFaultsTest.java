package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultAt;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever call of the disk fails, on the durable port: acknowledged ⊆ stored ⊆ sent, and each
 * record once by its ULID, also for who comes after the process died.
 */
class DurableFaultsTest {
  /** More than a run makes until all is acknowledged and flushed. */
  private static final int CALLS = 30;

  private static final int RECORDS = 6;
  private static final Duration RETRY = Duration.ofMillis(20);

  @TempDir Path folder;

  private static IngestOptions options(Path folder, int segmentBytes) {
    return options(folder, segmentBytes, Duration.ofMillis(20));
  }

  private static IngestOptions options(Path folder, int segmentBytes, Duration age) {
    return RunningNode.options(folder)
        .with(new IngestOptions.Committing(Duration.ZERO, 16 << 20, RETRY))
        .with(new IngestOptions.Flushing(segmentBytes, age, Duration.ofMillis(5), 64));
  }

  /** Two batches a file. */
  private static IngestOptions smallSegments(Path folder) {
    return options(folder, 200);
  }

  private static void assertEachOnce(List<Batch> batches, PersistentSender sender) {
    Map<Ulid, String> byUlid = new HashMap<>();
    for (Batch batch : batches) {
      String text = RunningNode.text(List.of(batch)).strip();
      String other = byUlid.put(batch.first(), text);
      assertThat(other == null || other.equals(text)).as("one ULID, one record").isTrue();
    }
    assertThat(byUlid.values()).doesNotHaveDuplicates();
    assertThat(byUlid.values()).containsAll(sender.acknowledged());
    assertThat(sender.all()).containsAll(byUlid.values());
  }

  @Test
  void oneErrorAtAnyCallIsNotSeenBySenders() throws IOException {
    for (int failing = 0; failing < CALLS; failing++) {
      var fault = new FaultAt();
      try (var node =
          new RunningNode(
              smallSegments(folder.resolve("at" + failing)), new FaultyFilesystem(fault))) {
        fault.failAt(failing, false);
        var sender = new PersistentSender(RECORDS);
        sender.sendAll(node);
        assertThat(sender.connections()).isEqualTo(1);
        List<Batch> batches = node.consume(RECORDS);
        assertThat(batches).hasSize(RECORDS);
        assertEachOnce(batches, sender);
        node.assertLedgerIsExact();
      } catch (AssertionError | IOException e) {
        throw new AssertionError("with an error at call " + failing, e);
      }
    }
  }

  @Test
  void twoErrorsInARowAtAnyCallLoseNothingAndDoubleNothing() throws IOException {
    for (int failing = 1; failing < CALLS; failing++) {
      long at = failing;
      var files = new FaultyFilesystem((_, number) -> number == at || number == at + 1);
      Path data = folder.resolve("at" + failing);
      var sender = new PersistentSender(RECORDS);
      try (var node = new RunningNode(smallSegments(data), files)) {
        sender.sendAll(node);
        node.assertLedgerIsExact();
      }
      assertFoundAfterRestart(data, sender, "with errors from call " + failing);
    }
  }

  @Test
  void diskThatFailsForGoodAtAnyCallLosesNothingThatWasAcknowledged() throws IOException {
    for (int failing = 0; failing < CALLS; failing++) {
      var fault = new FaultAt();
      Path data = folder.resolve("at" + failing);
      var sender = new PersistentSender(RECORDS);
      try (var node = new RunningNode(smallSegments(data), new FaultyFilesystem(fault))) {
        fault.failAt(failing, true);
        sender.sendUntilRefused(node);
      }
      assertFoundAfterRestart(data, sender, "with errors for good from call " + failing);
    }
  }

  private static void assertFoundAfterRestart(Path data, PersistentSender sender, String when)
      throws IOException {
    try (var node = RunningNode.in(data)) {
      assertEachOnce(node.consumeWaiting(), sender);
    } catch (AssertionError e) {
      throw new AssertionError(when, e);
    }
  }

  @Test
  void fileWhoseForceFailedKeepsWhatWasAcknowledgedAndNothingElse() throws IOException {
    var failing = new AtomicBoolean();
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.getAndSet(false));
    Path data = folder.resolve("data");
    // Not for their age: the force that fails is none that flushes the first file.
    var options = options(data, 1 << 20, RunningNode.PATIENCE.multipliedBy(10));
    try (var node = new RunningNode(options, files);
        Socket socket = node.connectDurable()) {
      socket.getOutputStream().write("acknowledged\n".getBytes(StandardCharsets.UTF_8));
      assertThat(socket.getInputStream().readNBytes(6)).asString().isEqualTo("ack 1\n");
      failing.set(true);
      socket.getOutputStream().write("not yet\n".getBytes(StandardCharsets.UTF_8));
      assertThat(socket.getInputStream().readNBytes(6)).asString().isEqualTo("ack 2\n");
      assertThat(node.counted("force_errors")).isEqualTo(1);
      assertThat(RunningNode.text(node.consume(1))).isEqualTo("acknowledged\n");
      assertThat(node.registry.get("cordwood_ingest_degraded").gauge().value()).isZero();
    }
    try (var next = RunningNode.in(data)) {
      assertThat(RunningNode.text(next.consume(1))).isEqualTo("not yet\n");
    }
  }

  @Test
  void processThatDiesAfterAFailedForceLosesNothingThatWasAcknowledged() throws IOException {
    var failing = new AtomicBoolean();
    var files = new FaultyFilesystem((call, _) -> call != Call.WRITE && failing.get());
    Path crashed = folder.resolve("crashed");
    try (var node = new RunningNode(options(folder.resolve("data"), 1 << 20), files);
        Socket socket = node.connectDurable()) {
      socket.getOutputStream().write("acknowledged\n".getBytes(StandardCharsets.UTF_8));
      assertThat(socket.getInputStream().readNBytes(6)).asString().isEqualTo("ack 1\n");
      failing.set(true);
      socket.getOutputStream().write("never\n".getBytes(StandardCharsets.UTF_8));
      await().until(() -> node.counted("force_errors") >= 2);
      node.copyFilesTo(crashed);
      failing.set(false);
    }
    try (var node = RunningNode.in(crashed)) {
      assertThat(RunningNode.text(node.consumeWaiting())).startsWith("acknowledged\n");
    }
  }

  @Test
  void degradedNodeRefusesSendersAndTakesThemAgainWhenTheDiskWorks() throws IOException {
    var failing = new AtomicBoolean();
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    try (var node = new RunningNode(smallSegments(folder), files)) {
      try (Socket sender = node.connectDurable();
          Socket idle = node.connectDurable()) {
        sender.getOutputStream().write("one\n".getBytes(StandardCharsets.UTF_8));
        assertThat(sender.getInputStream().readNBytes(6)).asString().isEqualTo("ack 1\n");
        assertThat(node.node.trouble()).isEmpty();
        failing.set(true);
        sender.getOutputStream().write("two\n".getBytes(StandardCharsets.UTF_8));
        assertThat(rest(sender)).startsWith("error: the disk").endsWith("\n");
        assertThat(rest(idle)).startsWith("error: the disk");
      }
      assertThat(node.node.trouble()).hasValueSatisfying(why -> assertThat(why).contains("force"));
      assertThat(node.registry.get("cordwood_ingest_degraded").gauge().value()).isOne();
      assertThat(node.sendDurable("three\n".getBytes(StandardCharsets.UTF_8)))
          .startsWith("error: the disk")
          .doesNotContain("ack");
      failing.set(false);
      await().until(() -> node.node.trouble().isEmpty());
      assertThat(node.registry.get("cordwood_ingest_degraded").gauge().value()).isZero();
      assertThat(node.sendDurable("four\n".getBytes(StandardCharsets.UTF_8))).isEqualTo("ack 1\n");
      assertThat(RunningNode.text(node.consume(3))).isEqualTo("one\ntwo\nfour\n");
      node.assertLedgerIsExact();
    }
  }

  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void degradedNodeThatIsClosedCountsWhatItNeverAcknowledged() throws IOException {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    var node = new RunningNode(smallSegments(folder), files);
    try (node) {
      assertThat(node.sendDurable("lost\n".getBytes(StandardCharsets.UTF_8)))
          .startsWith("error: the disk");
    }
    assertThat(node.counted("records_rejected", "reason", "closed")).isEqualTo(1);
    node.assertLedgerIsExact();
  }

  @Test
  void diskThatIsFullPastItsReserveIsSaidToBeAndEndsByItself() throws Exception {
    try (var disk = SmallDisk.orSkip(folder)) {
      fillAndFree(disk);
    }
  }

  private static void fillAndFree(SmallDisk disk) throws IOException, InterruptedException {
    var sender = new PersistentSender(4096, "x".repeat(1000));
    try (var node = new RunningNode(options(disk.data(), 1 << 20), Filesystem.real())) {
      Thread sending = Thread.ofVirtual().start(() -> sender.sendAllUnchecked(node));
      await().until(() -> node.counted("pauses", "reason", "disk") > 0);
      assertThat(node.node.trouble()).hasValueSatisfying(why -> assertThat(why).contains("full"));
      disk.assertReserveIsLeft();
      disk.free();
      List<Batch> batches = node.consume(4096);
      assertThat(sending.join(RunningNode.PATIENCE)).isTrue();
      assertEachOnce(batches, sender);
      assertThat(node.node.trouble()).isEmpty();
      node.assertLedgerIsExact();
    }
  }
}
