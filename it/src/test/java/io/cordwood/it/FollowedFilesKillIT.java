package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of {@code cordwood forward --file}, and of the node that it sends to, while the
 * file is written and rotated: each line is found once.
 *
 * <p>{@code -Dcordwood.rounds=N} kills the forwarder as often as that, {@code -Dcordwood.seed=N}
 * chooses the moments.
 */
final class FollowedFilesKillIT {
  private static final int ROUNDS = Integer.getInteger("cordwood.rounds", 3);
  private static final int ROUNDS_A_NODE = 2;
  private static final int MOST_LINES_A_LIFE = 1500;

  @TempDir private Path folder;

  private final Random random = new Random(Seed.of(FollowedFilesKillIT.class));

  @Test
  void linesOfARenamedFileAreThereOnceOverKillsOfBothSides() throws Exception {
    Path file = Files.createDirectory(folder.resolve("logs")).resolve("app.log");
    try (RotatedLog log = RotatedLog.renamed(file, new Random(random.nextLong()))) {
      killAgainAndAgain(log, file.toString());
    }
  }

  @Test
  void linesOfATruncatedFileAreThereOnceOverKillsOfBothSides() throws Exception {
    Path file = Files.createDirectory(folder.resolve("logs")).resolve("app.log");
    try (RotatedLog log = RotatedLog.truncated(file, new Random(random.nextLong()))) {
      killAgainAndAgain(log, file + "*");
    }
  }

  private void killAgainAndAgain(RotatedLog log, String pattern) throws Exception {
    NodeProcess node = NodeProcess.start(folder);
    Program forward = forward(node, pattern);
    try {
      awaitMore(node, 1);
      log.beginToRotate();
      for (int round = 0; round < ROUNDS; round++) {
        awaitMore(node, 1 + random.nextInt(MOST_LINES_A_LIFE));
        forward.kill();
        if (round % ROUNDS_A_NODE == 1) {
          node.kill();
          node = node.startAgain(folder);
        }
        forward = forward(node, pattern);
      }
      log.end();
      node.awaitCount("numbered ", log.written());
      List<String> found = node.find("numbered ");
      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(
              LongStream.range(0, log.written()).mapToObj(RotatedLog::line).toList());
      assertThat(log.rotations()).isPositive();
    } catch (AssertionError e) {
      throw new AssertionError("the forwarder says: " + forward.err(), e);
    } finally {
      forward.close();
      node.close();
    }
  }

  private Program forward(NodeProcess node, String pattern) throws IOException {
    return Program.start(
        "forward",
        "--file",
        pattern,
        "--checkpoint",
        folder.resolve("checkpoint").toString(),
        "localhost:" + node.durablePort());
  }

  private static void awaitMore(NodeProcess node, long more) throws IOException {
    long enough = node.count("numbered ") + more;
    await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> node.count("numbered ") >= enough);
  }
}
