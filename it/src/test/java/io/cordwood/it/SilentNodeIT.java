package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gossip as it is timed unless it is told otherwise; other tests of clusters hurry it. */
final class SilentNodeIT {
  /** It may stand still for so long, and nobody drops it. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  /** A busy machine may have held it up before it was paused. */
  private static final int ATTEMPTS = 3;

  @TempDir private Path folder;

  @Test
  void nodeThatIsPausedIsLostAndComesBackWithinSecondsOfGoingOn() throws IOException {
    try (NodeProcess one = NodeProcess.start("ingest", folder.resolve("one"));
        NodeProcess other =
            NodeProcess.start(
                "ingest", folder.resolve("other"), "--peer=127.0.0.1:" + one.port("gossip"))) {
      long patientNanos = 0;
      for (int i = 0; i < ATTEMPTS && patientNanos <= SHORT.toNanos(); i++) {
        awaitState(one, "alive");
        long pausedNanos = System.nanoTime();
        other.program().pause();
        awaitState(one, "lost");
        patientNanos = System.nanoTime() - pausedNanos;
        other.program().resume();
      }
      assertThat(patientNanos).isGreaterThan(SHORT.toNanos());
      awaitState(one, "alive");
    }
  }

  /** Of the only other node. */
  private static void awaitState(NodeProcess node, String state) {
    await()
        .alias("the other node is " + state)
        .until(() -> node.get("/cluster").contains("\t" + state + "\t"));
  }
}
