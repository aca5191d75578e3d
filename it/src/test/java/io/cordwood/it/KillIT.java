package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of a node at random moments, while it takes lines in on its fast, its durable and
 * its bulk port, consumes and compacts. What is lost here are processes, not disks or power: what
 * was written to a file is there after the restart.
 *
 * <p>The check is one of sets: acknowledged &sube; found &sube; sent, and nothing is found twice.
 *
 * <p>{@code -Dcordwood.rounds=N} kills as often as that, {@code -Dcordwood.seed=N} chooses the
 * moments.
 */
final class KillIT {
  private static final int ROUNDS = Integer.getInteger("cordwood.rounds", 8);

  /** So many kills later all is looked for, and the next ones begin in an empty folder. */
  private static final int ROUNDS_A_FOLDER = 25;

  /** Most lives are too short for an upload to be acknowledged, which takes about a second. */
  private static final int LIVES_AN_UPLOAD = 5;

  /** Records of one sender that are acknowledged at most between a start and the kill. */
  private static final int MOST_RECORDS_A_LIFE = 1000;

  @TempDir private Path folder;

  @Test
  void killsUnderLoadLoseNothingAcknowledgedAndDoubleNothing() throws Exception {
    var random = new Random(Seed.of(KillIT.class));
    for (int round = 0; round < ROUNDS; round += ROUNDS_A_FOLDER) {
      int kills = Math.min(ROUNDS - round, ROUNDS_A_FOLDER);
      Path home = Files.createDirectory(folder.resolve("from-" + round));
      killAgainAndAgain(home, kills, random, round + kills);
    }
  }

  private static void killAgainAndAgain(Path home, int kills, Random random, int roundsThen)
      throws Exception {
    NodeProcess node = NodeProcess.start(home);
    try (Senders senders = Senders.start(node)) {
      for (int kill = 0; kill < kills; kill++) {
        senders.startRaw("life " + kill, node);
        if (kill % LIVES_AN_UPLOAD == 0) {
          senders.awaitUpload();
        }
        senders.awaitAcknowledged(random.nextInt(MOST_RECORDS_A_LIFE));
        node.kill();
        senders.endRaw();
        node = node.startAgain(home);
      }
      senders.finish();
      node.stop();
      node = node.startAgain(home);
      long records = senders.assertFound(node);
      assertThat(node.count("")).as("nothing but what was sent").isEqualTo(records);
      System.out.printf(
          "KillIT: %d kills, %d records in this folder, %d of them acknowledged in durable mode,"
              + " %d raw uploads acknowledged%n",
          roundsThen, records, senders.acknowledgedDurable(), senders.acknowledgedUploads());
    } finally {
      node.close();
    }
  }

  /** Those that stay over all kills and send again, and those of raw lines that end with each. */
  private static final class Senders implements AutoCloseable {
    private static final int DURABLE = 3;
    private static final int UPLOADERS = 2;

    private final ForwardedLoad forwarded;
    private final ForwardedLoad forwardedInBulk;
    private final List<RawUploads> uploads = new ArrayList<>();
    private final List<AcknowledgedLoad> batches = new ArrayList<>();
    private final List<RawLines> raw = new ArrayList<>();

    private Senders(ForwardedLoad forwarded, ForwardedLoad forwardedInBulk) {
      this.forwarded = forwarded;
      this.forwardedInBulk = forwardedInBulk;
    }

    static Senders start(NodeProcess node) throws IOException {
      var senders =
          new Senders(
              ForwardedLoad.start(node.fastPort()), ForwardedLoad.startBulk("in bulk", node));
      for (int i = 0; i < UPLOADERS; i++) {
        senders.uploads.add(RawUploads.start("upload by " + i, node.bulkPort()));
      }
      for (int i = 0; i < DURABLE; i++) {
        senders.batches.add(AcknowledgedLoad.start("durable batch " + i, node.durablePort()));
      }
      senders.batches.add(AcknowledgedLoad.start("fast batch", node.fastPort()));
      return senders;
    }

    void startRaw(String name, NodeProcess node) throws IOException {
      raw.add(RawLines.start("fast line of " + name, node.fastPort()));
      raw.add(RawLines.start("durable line of " + name, node.durablePort()));
    }

    void endRaw() throws Exception {
      for (RawLines lines : raw.subList(raw.size() - 2, raw.size())) {
        lines.stop();
      }
    }

    /** Waits until one of those that stay has so many more. */
    void awaitAcknowledged(long more) {
      AcknowledgedLoad first = batches.getFirst();
      first.awaitAcknowledged(first.acknowledged() + more);
    }

    void awaitUpload() {
      uploads.getFirst().awaitAcknowledged();
    }

    void finish() throws InterruptedException {
      batches.forEach(AcknowledgedLoad::finish);
      forwarded.finish();
      forwardedInBulk.finish();
      for (RawUploads load : uploads) {
        load.finish();
      }
    }

    /** How many are found, which are as many as there should be. */
    long assertFound(NodeProcess node) throws IOException {
      await().until(() -> node.metric("cordwood_ingest_segments") == 0);
      forwarded.assertFound(node);
      forwardedInBulk.assertFound(node);
      long found = forwarded.written() + forwardedInBulk.written();
      for (RawUploads load : uploads) {
        found += load.countFoundIn(node);
      }
      for (AcknowledgedLoad load : batches) {
        load.assertFound(node, load.sent());
        found += load.sent();
      }
      Map<String, List<String>> lines = RawLines.byName(node.find(" line of life "));
      for (RawLines life : raw) {
        found += life.countFoundIn(lines);
      }
      return found;
    }

    long acknowledgedDurable() {
      return batches.stream().limit(DURABLE).mapToLong(AcknowledgedLoad::acknowledged).sum()
          + raw.stream().mapToLong(RawLines::acknowledged).sum();
    }

    long acknowledgedUploads() {
      return uploads.stream().mapToLong(RawUploads::acknowledged).sum();
    }

    @Override
    public void close() {
      batches.forEach(AcknowledgedLoad::close);
      uploads.forEach(RawUploads::close);
      forwarded.close();
      forwardedInBulk.close();
    }
  }
}
