package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM under senders that go on sending: the first ends a node in order, the second at once. */
final class StopIT {
  private static final int SENDERS_A_PORT = 3;

  /** Without a second signal an end takes longer than anything is waited for. */
  private static final String LONGER = Program.LONG.multipliedBy(2).toSeconds() + "s";

  @TempDir private Path folder;

  @Test
  void firstSignalKeepsWhatWasReceivedThoughSendersGoOn() throws Exception {
    NodeProcess node = NodeProcess.start(folder, "--drain", "500ms");
    List<RawLines> senders = startSenders(node);
    long received = node.count("");
    node.stop();
    end(senders);
    assertThat(node.program().err())
        .contains("no more senders are accepted", "all that was received is on the disk, forced")
        .containsPattern("all segments are handed over|segments are kept on the disk")
        .doesNotContain("a second signal: ");
    assertFoundAgain(node, senders, received);
  }

  @Test
  void secondSignalEndsAtOnceAndLosesNothingThatWasReceived() throws Exception {
    NodeProcess node = NodeProcess.start(folder, "--drain", LONGER);
    List<RawLines> senders = startSenders(node);
    long received = node.count("");
    node.program().terminate();
    node.program().awaitErr("a second signal ends this node at once");
    await()
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          node.program().terminate();
          return !node.program().isAlive();
        });
    assertThat(node.program().end().exitCode()).isEqualTo(143);
    end(senders);
    assertThat(node.program().err()).contains("a second signal: this process ends at once");
    assertFoundAgain(node, senders, received);
  }

  /** As {@code timeout} does it, which signals a process and then its group. */
  @Test
  void signalThatComesTwiceAtOnceIsOneWish() throws Exception {
    NodeProcess node = NodeProcess.start(folder, "--drain", "2s");
    List<RawLines> senders = startSenders(node);
    long received = node.count("");
    node.program().terminate();
    node.program().terminate();
    assertThat(node.program().end().exitCode()).isEqualTo(143);
    end(senders);
    assertThat(node.program().err())
        .contains("all that was received is on the disk, forced")
        .doesNotContain("a second signal: ");
    assertFoundAgain(node, senders, received);
  }

  private static List<RawLines> startSenders(NodeProcess node) throws IOException {
    List<RawLines> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS_A_PORT; i++) {
      senders.add(RawLines.start("fast " + i, node.fastPort()));
      senders.add(RawLines.start("durable " + i, node.durablePort()));
    }
    node.awaitCount("", 5000);
    return senders;
  }

  private static void end(List<RawLines> senders) throws Exception {
    for (RawLines sender : senders) {
      sender.stop();
    }
  }

  /** What each sender had sent is found up to some line, each line once, and nothing else is. */
  private void assertFoundAgain(NodeProcess ended, List<RawLines> senders, long atLeast)
      throws IOException {
    try (NodeProcess node = ended.startAgain(folder)) {
      await().until(() -> node.metric("cordwood_ingest_segments") == 0);
      long found = 0;
      for (RawLines sender : senders) {
        found += sender.countFoundIn(node);
      }
      assertThat(found).isGreaterThanOrEqualTo(atLeast).isEqualTo(node.count(""));
    }
  }
}
