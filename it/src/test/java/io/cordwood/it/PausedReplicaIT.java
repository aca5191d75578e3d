package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that stops running while another one sends it a copy. */
final class PausedReplicaIT {
  private static final int LINES = 500;
  private static final int LINE_BYTES = 60_000;
  private static final int ATTEMPTS = 30;

  /** Longer than a store waits for one that takes no bytes. */
  private static final Duration GIVEN_UP = Duration.ofSeconds(15);

  private final Random random = new Random(5);

  @TempDir private Path folder;

  @Test
  void storePausedInTheMiddleOfAReplicaLosesAndDoublesNothing() throws IOException {
    try (NodeProcess ingest = NodeProcess.start("ingest", folder.resolve("i"))) {
      String peer = "--peer=127.0.0.1:" + ingest.port("gossip");
      try (NodeProcess sender = NodeProcess.start("store", folder.resolve("a"), peer);
          NodeProcess receiver = NodeProcess.start("store", folder.resolve("b"), peer)) {
        long sent = 0;
        for (int i = 0; i < ATTEMPTS && failures(sender) == 0; i++) {
          ingest.send(lines());
          sent += LINES;
          if (isReceiving(receiver, ingest)) {
            pause(receiver, sender);
          }
        }

        assertThat(failures(sender)).as("copies that were given up").isPositive();
        for (NodeProcess store : List.of(sender, receiver)) {
          String expected = sent + "\n";
          await().until(() -> store.query("here=true&count=true").equals(expected));
        }
      }
    }
  }

  /** Waits until a copy is on its way to the store; false if it consumed all itself. */
  private static boolean isReceiving(NodeProcess store, NodeProcess ingest) throws IOException {
    while (ingest.metric("cordwood_ingest_backlog_bytes") > 0) {
      if (store.metric("cordwood_store_replicas_receiving") > 0) {
        return true;
      }
    }
    return false;
  }

  /** Until the sender gives up; for a while only, if it had sent all. */
  private static void pause(NodeProcess receiver, NodeProcess sender) throws IOException {
    receiver.program().pause();
    long end = System.nanoTime() + GIVEN_UP.toNanos();
    await().until(() -> failures(sender) > 0 || System.nanoTime() - end > 0);
    receiver.program().resume();
  }

  private static double failures(NodeProcess sender) throws IOException {
    return sender.metric("cordwood_store_failures_total{what=\"send\"}");
  }

  /** Long ones that do not compress well, so that a copy of them takes its time. */
  private byte[] lines() {
    byte[] lines = new byte[LINES * LINE_BYTES];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = (byte) (i % LINE_BYTES == LINE_BYTES - 1 ? '\n' : '!' + random.nextInt(90));
    }
    return lines;
  }
}
