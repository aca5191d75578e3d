package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel says EIO to a force, for real, of a node that is under load. */
final class ForceErrorIT {
  @TempDir private Path folder;

  /** Each thread that forces meets the errors: the committer, the flusher, the store's. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "2..3", "5+7"})
  void nothingIsAcknowledgedOverAForceThatFailed(String when) throws Exception {
    NodeProcess node = NodeProcess.start(folder);
    try (AcknowledgedLoad batches = AcknowledgedLoad.start("batch", node.durablePort())) {
      RawLines lines = RawLines.start("line", node.durablePort());
      batches.awaitAcknowledged(200);
      try (BrokenForces _ = BrokenForces.in(node.program(), when)) {
        awaitForceError(node);
        batches.awaitAcknowledged(batches.acknowledged() + 500);
      }
      node.kill();
      lines.stop();
      node = node.startAgain(folder);
      long records = batches.finish();
      node.stop();
      node = node.startAgain(folder);
      batches.assertFound(node, records);
      NodeProcess last = node;
      await().until(() -> last.metric("cordwood_ingest_segments") == 0);
      assertThat(node.count("")).isEqualTo(records + lines.countFoundIn(node));
    } finally {
      node.close();
    }
  }

  @Test
  void uploadIsRefusedOverAForceThatFailsAndTakenOnceItWorks() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder)) {
      assertThat(node.upload("before\n")).isEqualTo("ack 1\n");
      try (BrokenForces _ = BrokenForces.in(node.program(), "1+")) {
        assertThat(node.upload("while\n")).startsWith("error: the disk fails: ");
      }
      assertThat(node.upload("after\n")).isEqualTo("ack 1\n");
      assertThat(node.find("")).containsExactly("before", "after");
    }
  }

  /** Uploads meet the errors, and so does the store that has to commit them. */
  @Test
  void forwardedUploadsAreThereOnceThoughForcesFail() throws Exception {
    try (NodeProcess node = NodeProcess.start(folder);
        ForwardedLoad load = ForwardedLoad.startBulk("in bulk", node)) {
      try (BrokenForces _ = BrokenForces.in(node.program(), "1..2")) {
        await()
            .until(() -> node.metric("cordwood_ingest_uploads_total{outcome=\"disk_error\"}") > 0);
      }
      load.finish();
      load.assertFound(node);
    }
  }

  private static void awaitForceError(NodeProcess node) {
    await().until(() -> node.metric("cordwood_ingest_force_errors_total") > 0);
  }

  @Test
  void nodeThatCannotForceRefusesIsDegradedAndComesBackByItself() throws IOException {
    try (NodeProcess node = NodeProcess.start(folder);
        Sender sender = new Sender(node.durablePort())) {
      sender.send("before\n");
      assertThat(sender.answer()).isEqualTo("ack 1\n");
      try (BrokenForces _ = BrokenForces.in(node.program(), "1+")) {
        sender.send("while\n");
        assertThat(sender.rest()).startsWith("error: ").doesNotContain("ack");
        assertThat(node.metric("cordwood_ingest_degraded")).isEqualTo(1);
        assertThat(node.request("GET", "/-/ready").statusCode()).isEqualTo(503);
        assertThat(node.request("GET", "/-/healthy").statusCode()).isEqualTo(200);
        try (Sender late = new Sender(node.durablePort())) {
          assertThat(late.send("late\n").rest()).doesNotContain("ack");
        }
      }
      await().until(() -> node.request("GET", "/-/ready").statusCode() == 200);
      try (Sender after = new Sender(node.durablePort())) {
        assertThat(after.send("after\n").answer()).isEqualTo("ack 1\n");
      }
      node.awaitCount("before", 1);
      node.awaitCount("after", 1);
      assertThat(node.find("")).doesNotContain("late").doesNotHaveDuplicates();
    }
  }
}
