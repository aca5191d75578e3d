package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} at any moment. */
final class KillIT {
  private static final int ROUNDS = 20;

  /** Records that are acknowledged at most between a start and the kill. */
  private static final int MOST_RECORDS_A_LIFE = 5000;

  @TempDir private Path folder;

  @Test
  void twentyKillsUnderLoadLoseNothingAcknowledgedAndDoubleNothing() throws Exception {
    long seed = System.nanoTime();
    System.out.println("KillIT: seed " + seed);
    var random = new Random(seed);
    NodeProcess node = NodeProcess.start(folder);
    try (AcknowledgedLoad load = AcknowledgedLoad.start("batch", node.fastPort())) {
      List<RawLines> raw = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        raw.add(RawLines.start(round, node.fastPort()));
        load.awaitAcknowledged(load.acknowledged() + random.nextInt(MOST_RECORDS_A_LIFE));
        node.program().kill();
        raw.getLast().stop();
        node = node.startAgain(folder);
      }
      long acknowledged = load.finish();
      load.assertFound(node, acknowledged);
      long rawRecords = 0;
      for (RawLines lines : raw) {
        rawRecords += lines.countFoundIn(node);
      }
      assertThat(node.count("")).isEqualTo(acknowledged + rawRecords);
      assertThat(rawRecords).isPositive();
    } finally {
      node.close();
    }
  }

  /** A sender of raw lines, which are not acknowledged, until its connection breaks. */
  private static final class RawLines implements Runnable {
    private static final int LINES_A_WRITE = 20;
    private static final long PAUSE_NANOS = 500_000;

    private final int round;
    private final Sender sender;
    private final Thread thread;
    private volatile boolean stopping;
    private int begun;

    private RawLines(int round, Sender sender) {
      this.round = round;
      this.sender = sender;
      this.thread = new Thread(this, "raw");
    }

    static RawLines start(int round, int port) throws IOException {
      var lines = new RawLines(round, new Sender(port));
      lines.thread.start();
      return lines;
    }

    @Override
    public void run() {
      try {
        while (!stopping) {
          int from = begun;
          begun += LINES_A_WRITE;
          sender.send(String.join("\n", lines(from, begun)) + "\n");
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      } catch (IOException e) {
        // The node was killed: that is what is waited for.
      }
    }

    private List<String> lines(int from, int to) {
      return IntStream.range(from, to).mapToObj(i -> "raw " + round + " line " + i).toList();
    }

    void stop() throws InterruptedException, IOException {
      stopping = true;
      thread.join();
      sender.close();
    }

    /** Those found must be the first that were sent, without a hole, each once. */
    long countFoundIn(NodeProcess node) throws IOException {
      List<String> found = node.find("raw " + round + " ");
      assertThat(found).hasSizeLessThanOrEqualTo(begun);
      assertThat(found.equals(lines(0, found.size())))
          .as("an unbroken start of round %s", round)
          .isTrue();
      return found.size();
    }
  }
}
