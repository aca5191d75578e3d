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
  private static final int LINES_A_WRITE = 200;

  /** Long enough for some rounds to consume and compact, short enough for some to do neither. */
  private static final int MAX_PAUSE_MILLIS = 800;

  @TempDir private Path data;

  @Test
  void nothingIsLostAndNothingIsThereTwiceOverTwentyKillsUnderLoad() throws Exception {
    long seed = Long.getLong("cordwood.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    NodeProcess node = NodeProcess.ingestStore(data);
    int fastPort = node.port("fast");
    try (Program forward = Program.start("forward", "localhost:" + fastPort)) {
      Load load = new Load(forward.input());
      for (int round = 0; round < ROUNDS; round++) {
        Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS)); // the random moment
        node.kill();
        node = NodeProcess.ingestStoreAt(fastPort, data);
      }
      int lines = load.end();
      Program.Result sent = forward.await();
      assertThat(sent.exitCode()).as(sent.errors()).isZero();
      node.awaitRecords(lines);
      assertThat(node.grep("").text()).as("seed " + seed).isEqualTo(lines(0, lines));
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
      send(forward.input());
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> forward.errorsSoFar().contains("trying on"));
      try (NodeProcess node = NodeProcess.ingestStoreAt(fastPort, data)) {
        assertThat(forward.await().exitCode()).isZero();
        node.awaitRecords(5000);
      }
    }
  }

  @Test
  void forwarderThatGivesUpSaysSo() throws Exception {
    try (Program forward = Program.start("forward", "--drain", "200ms", "localhost:1")) {
      send(forward.input());
      Program.Result result = forward.await();
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.errors()).contains("5000 lines were not acknowledged");
    }
  }

  private static String lines(int from, int to) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(from, to).forEach(i -> lines.append("line number %d\n".formatted(i)));
    return lines.toString();
  }

  private static void send(OutputStream out) throws IOException {
    out.write(lines(0, 5000).getBytes(StandardCharsets.US_ASCII));
    out.close();
  }

  /** Writes numbered lines, some ten thousand a second, until it is ended. */
  private static final class Load {
    private final OutputStream out;
    private final Thread thread;
    private volatile boolean ended;
    private volatile int written;

    Load(OutputStream out) {
      this.out = out;
      this.thread = Thread.ofPlatform().name("load").start(this::run);
    }

    private void run() {
      try (out) {
        int next = 0;
        while (!ended) {
          out.write(lines(next, next + LINES_A_WRITE).getBytes(StandardCharsets.US_ASCII));
          out.flush();
          next += LINES_A_WRITE;
          written = next;
          Thread.sleep(20);
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException("the forwarder must take all lines", e);
      }
    }

    /** Ends the input of the forwarder; how many lines it got. */
    int end() throws InterruptedException {
      ended = true;
      thread.join();
      return written;
    }
  }
}
