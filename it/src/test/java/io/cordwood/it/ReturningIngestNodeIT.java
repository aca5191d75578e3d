package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.query.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest node that left with nothing on it is not missed. So what it acknowledges when it is
 * back must not come before the others know that it is.
 */
final class ReturningIngestNodeIT {
  private static final Duration LESS_THAN_A_FIRST_LOOK = Duration.ofMillis(400);
  private static final String FAST_GOSSIP = "--gossip-profile=local";
  private static final String QUESTION = "/query?q=back+&count=true";

  private static final int MOST_ENDS = 10;

  @TempDir private Path folder;

  @Test
  void whatItAcknowledgesFirstIsFoundElsewhereOrSaidToBeMissing() throws Exception {
    try (NodeProcess other =
        NodeProcess.start(
            "store", folder.resolve("other"), FAST_GOSSIP, "--replication-factor=1")) {
      String peer = "--peer=127.0.0.1:" + other.port("gossip");
      NodeProcess before = startReturning(FAST_GOSSIP, peer);
      String[] flags =
          Stream.concat(Stream.of(FAST_GOSSIP, peer), Stream.of(before.samePorts()))
              .toArray(String[]::new);
      try (AcknowledgedLoad load = AcknowledgedLoad.start("back", before.durablePort())) {
        leaveWithNothing(before, flags, load, other);
        comeBackUnseen(before.durablePort(), flags, load, other);
      }
    }
  }

  /** Once more, if the store was too busy to ask within the second that it is waited for. */
  private void leaveWithNothing(
      NodeProcess leaving, String[] flags, AcknowledgedLoad load, NodeProcess other)
      throws IOException {
    NodeProcess last = leaving;
    for (int end = 0; end < MOST_ENDS; end++) {
      try (NodeProcess now = last) {
        load.awaitAcknowledged(load.acknowledged() + 100);
        other.awaitStored(load.acknowledged());
        now.stop();
      }
      if (last.program().err().contains("all segments are handed over")) {
        break;
      }
      last = startReturning(flags);
    }
    last.close();
    await().untilAsserted(() -> assertComplete(other));
  }

  /** The other one is stopped meanwhile, so that it cannot be told. */
  private void comeBackUnseen(int port, String[] flags, AcknowledgedLoad load, NodeProcess other)
      throws Exception {
    long before = load.acknowledged();
    other.program().pause();
    var starting = CompletableFuture.supplyAsync(() -> startAgain(flags));
    try {
      awaitListening(port);
      long end = System.nanoTime() + LESS_THAN_A_FIRST_LOOK.toNanos();
      while (load.acknowledged() == before && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      other.program().resume();
      do {
        assertFoundOrMissing(other, load.acknowledged());
      } while (!starting.isDone() || load.acknowledged() == before);
      long acknowledged = load.acknowledged();
      await().untilAsserted(() -> assertAllFound(other, acknowledged));
    } finally {
      starting.join().close();
    }
  }

  private static void awaitListening(int port) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> {
          new Socket(InetAddress.getLoopbackAddress(), port).close();
          return true;
        });
  }

  private NodeProcess startAgain(String... flags) {
    try {
      return startReturning(flags);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private NodeProcess startReturning(String... flags) throws IOException {
    return NodeProcess.start("ingest", folder.resolve("returning"), flags);
  }

  private static void assertFoundOrMissing(NodeProcess node, long acknowledged) throws IOException {
    Answer answer = Answer.get(node.apiPort(), QUESTION);
    if (isComplete(answer)) {
      assertAllFound(answer, acknowledged);
    }
  }

  private static void assertAllFound(NodeProcess node, long acknowledged) throws IOException {
    Answer answer = Answer.get(node.apiPort(), QUESTION);
    assertThat(isComplete(answer)).as(answer.text()).isTrue();
    assertAllFound(answer, acknowledged);
  }

  private static void assertAllFound(Answer answer, long acknowledged) {
    assertThat(Long.parseLong(answer.text().strip()))
        .as("records that had been acknowledged")
        .isGreaterThanOrEqualTo(acknowledged);
  }

  private static void assertComplete(NodeProcess node) throws IOException {
    Answer answer = Answer.get(node.apiPort(), QUESTION);
    assertThat(answer.field("missing")).isNull();
    assertThat(isComplete(answer)).as(answer.text()).isTrue();
  }

  private static boolean isComplete(Answer answer) {
    return "complete".equals(answer.field("verdict"));
  }
}
