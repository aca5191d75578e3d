package io.cordwood.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a node, at random moments, while a forwarder sends. What is lost here are
 * processes, not disks or power: what was written to a file is there after the restart.
 */
final class CrashIT {
  private static final int ROUNDS = 20;
  private static final int LINES_A_ROUND = 5_000;

  /** Long enough for some rounds to consume and compact, short enough for some to do neither. */
  private static final int MAX_PAUSE_MILLIS = 400;

  @TempDir private Path data;

  @Test
  void nothingIsLostAndNothingThereTwiceOverTwentyKills() throws Exception {
    long seed = Long.getLong("cordwood.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    NodeProcess node = NodeProcess.ingestStore(data);
    int fastPort = node.port("fast");
    try (Program forward = Program.start("forward", "localhost:" + fastPort)) {
      for (int round = 0; round < ROUNDS; round++) {
        send(forward.input(), round);
        Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS)); // the random moment
        node.kill();
        node = NodeProcess.ingestStoreAt(fastPort, data);
      }
      forward.input().close();
      Program.Result sent = forward.await();
      assertThat(sent.exitCode()).as(sent.errors()).isZero();
      node.awaitRecords(ROUNDS * LINES_A_ROUND);
      assertThat(node.grep("").text()).as("seed " + seed).isEqualTo(expected());
    } finally {
      node.close();
    }
  }

  @Test
  void forwarderWaitsForANodeThatIsNotThereYet() throws Exception {
    int fastPort;
    try (NodeProcess node = NodeProcess.ingestStore(data)) {
      fastPort = node.port("fast");
    }
    try (Program forward = Program.start("forward", "localhost:" + fastPort)) {
      send(forward.input(), 0);
      forward.input().close();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> forward.errorsSoFar().contains("trying on"));
      try (NodeProcess node = NodeProcess.ingestStoreAt(fastPort, data)) {
        assertThat(forward.await().exitCode()).isZero();
        node.awaitRecords(LINES_A_ROUND);
      }
    }
  }

  @Test
  void forwarderThatGivesUpSaysSo() throws Exception {
    try (Program forward = Program.start("forward", "--drain", "200ms", "localhost:1")) {
      send(forward.input(), 0);
      forward.input().close();
      Program.Result result = forward.await();
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.errors()).contains("5000 lines were not acknowledged");
    }
  }

  private static void send(OutputStream out, int round) throws IOException {
    out.write(lines(round).getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static String expected() {
    StringBuilder all = new StringBuilder();
    IntStream.range(0, ROUNDS).forEach(round -> all.append(lines(round)));
    return all.toString();
  }

  private static String lines(int round) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(0, LINES_A_ROUND)
        .forEach(i -> lines.append("round %d line %d\n".formatted(round, i)));
    return lines.toString();
  }
}
