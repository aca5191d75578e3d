package io.cordwood.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Senders that do everything wrong, on a node that serves a good one beside them all the time. What
 * became of the good one's records is checked at the end.
 */
final class HostileSendersIT {
  private static final int MIB = 1 << 20;
  private static final int CHECKSUM_AT = 32;
  private static final int PAYLOAD_LENGTH_AT = 12;

  @TempDir private static Path folder;
  private static NodeProcess node;
  private static AcknowledgedLoad good;

  @BeforeAll
  static void startNodeAndGoodSender() throws IOException {
    node = NodeProcess.start(folder);
    good = AcknowledgedLoad.start("good", node.fastPort());
  }

  /** A failure here means that a good sender was harmed by a bad one. */
  @AfterAll
  static void goodSenderHasAllItsRecordsFoundOnceEach() throws IOException {
    try (NodeProcess running = node;
        AcknowledgedLoad load = good) {
      long all = load.finish();
      assertThat(load.disconnects()).isZero();
      load.assertFound(running, all);
      assertThat(running.program().err()).doesNotContain("Exception", "OutOfMemory");
    }
  }

  private static String answerTo(byte[] bytes) throws IOException {
    try (Sender sender = node.connect()) {
      sender.send(bytes);
      return sender.answer();
    }
  }

  @Test
  void wrongChecksumIsAnsweredAndWhatCameBeforeItIsFound() throws IOException {
    byte[] bad = Sender.batch(List.of("checksum bad"));
    bad[CHECKSUM_AT] ^= 1;
    try (Sender sender = node.connect()) {
      sender.send(Sender.batch(List.of("checksum good")));
      assertThat(sender.answer()).isEqualTo("ack 1\n");
      sender.send(bad).send(Sender.batch(List.of("checksum behind")));
      assertThat(sender.answer()).startsWith("error: ").contains("checksum");
    }
    node.awaitCount("checksum", 1);
    assertThat(node.find("checksum")).containsExactly("checksum good");
  }

  @Test
  void topicOfTheLongestNameIsStoredAndHoldsNothingUp() throws IOException {
    node.send("CORDWOOD/1 topic=" + "n".repeat(128) + "\nlongest topic\n");
    node.awaitCount("longest topic", 1);
    node.send("after the longest topic\n");
    node.awaitCount("longest topic", 2);
    await().until(() -> node.metric("cordwood_ingest_segments") == 0);
    assertThat(node.find("longest topic"))
        .containsExactly("longest topic", "after the longest topic");
  }

  @Test
  void lengthOfFourGigabytesIsRefusedAtOnce() throws IOException {
    byte[] bad = Sender.batch(List.of("length"));
    ByteBuffer.wrap(bad).putInt(PAYLOAD_LENGTH_AT, -1);
    assertThat(answerTo(bad)).startsWith("error: ").contains("4294967295");
  }

  @Test
  void garbageBehindTheMagicIsRefused() throws IOException {
    var random = new Random(7);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[200 + random.nextInt(5000)];
      random.nextBytes(garbage);
      garbage[4] = (byte) (i % 5);
      ByteBuffer.wrap(garbage).putInt(0, 0xFC435742);
      assertThat(answerTo(garbage)).startsWith("error: ").contains("expected", "found");
    }
  }

  @Test
  void garbageBetweenBatchesIsRefusedAndNamesItsPlace() throws IOException {
    byte[] batch = Sender.batch(List.of("garbage before"));
    byte[] garbage =
        "this is no batch, and far longer than its header would be\n".getBytes(US_ASCII);
    try (Sender sender = node.connect()) {
      sender.send(batch).send(garbage);
      assertThat(sender.answer()).isEqualTo("ack 1\n");
      assertThat(sender.answer()).startsWith("error: ").contains(Integer.toString(batch.length));
    }
    node.awaitCount("garbage before", 1);
  }

  @Test
  void batchCutAtAnyByteLeavesNothingOfItself() throws IOException {
    byte[] before = Sender.batch(List.of("cut before"));
    byte[] batch = Sender.batch(List.of("cut record", "cut other"));
    for (int bytes = 0; bytes < batch.length; bytes++) {
      try (Sender sender = node.connect()) {
        sender.send(before).send(Arrays.copyOf(batch, bytes));
        assertThat(sender.end()).startsWith("ack 1\n").doesNotContain("ack 2", "ack 3");
      }
    }
    node.send("cut end\n");
    node.awaitCount("cut", 2);
    assertThat(node.find("cut")).containsExactlyInAnyOrder("cut before", "cut end");
  }

  @Test
  void sentAgainBatchIsFoundOnce() throws IOException {
    byte[] batch = Sender.batch(List.of("again 1", "again 2"));
    for (int i = 0; i < 5; i++) {
      try (Sender sender = node.connect()) {
        assertThat(sender.send(batch).end()).isEqualTo("ack 2\n");
      }
    }
    node.send("again end\n");
    node.awaitCount("again", 3);
    assertThat(node.find("again")).containsExactlyInAnyOrder("again 1", "again 2", "again end");
  }

  @Test
  void hundredMebibyteLineEndsNoConnection() throws IOException {
    byte[] part = new byte[MIB];
    Arrays.fill(part, (byte) 'h');
    try (Sender sender = node.connect()) {
      for (int i = 0; i < 100; i++) {
        sender.send(part);
      }
      sender.send("\nhundred behind\n").end();
    }
    node.awaitCount("hundred behind", 1);
    assertThat(node.count("hhhh")).isEqualTo(100);
    assertThat(node.metric("cordwood_ingest_lines_split_total")).isPositive();
  }

  @Test
  void manyIdleAndSlowConnectionsAreServed() throws IOException {
    List<Sender> idle = new ArrayList<>();
    try (Sender slow = node.connect()) {
      for (int i = 0; i < 1000; i++) {
        idle.add(node.connect());
      }
      for (byte letter : "slow letters\n".getBytes(US_ASCII)) {
        double before = node.metric("cordwood_ingest_bytes_read_total");
        slow.send(new byte[] {letter});
        awaitMoreThan("cordwood_ingest_bytes_read_total", before);
      }
      await().until(() -> node.metric("cordwood_ingest_connections") >= 1001);
      for (int i = 0; i < idle.size(); i += 100) {
        idle.get(i).send("idle woke " + i + "\n").end();
      }
      node.awaitCount("idle woke", 10);
      node.awaitCount("slow letters", 1);
    } finally {
      for (Sender sender : idle) {
        sender.close();
      }
    }
    await().until(() -> node.metric("cordwood_ingest_connections") < 100);
  }

  private static void awaitMoreThan(String metric, double value) {
    await().until(() -> node.metric(metric) > value);
  }

  @Test
  void halfClosedConnectionStillGetsItsAcknowledgement() throws IOException {
    try (Sender sender = node.connect()) {
      sender.send(Sender.batch(List.of("half closed"))).halfClose();
      assertThat(sender.rest()).isEqualTo("ack 1\n");
    }
    node.awaitCount("half closed", 1);
  }

  @Test
  void senderThatNeverReadsIsNotWaitedFor() throws IOException {
    try (Sender deaf = node.connect()) {
      for (int i = 0; i < 2000; i++) {
        deaf.send(Sender.batch(List.of("deaf " + i)));
      }
      node.awaitCount("deaf", 2000);
    }
    assertThat(node.find("deaf")).hasSize(2000).doesNotHaveDuplicates();
  }

  @Test
  void httpOnTheFastPortIsRefusedAndNothingOfItIsStored() throws IOException {
    try (Sender sender = node.connect()) {
      sender.send("GET /query HTTP/1.1\r\nHost: http-on-fast\r\n\r\n");
    }
    node.send("after http\n");
    node.awaitCount("after http", 1);
    assertThat(node.find("http-on-fast")).isEmpty();
  }

  @Test
  void connectionResetInTheMiddleOfALineKeepsTheLinesBefore() throws IOException {
    try (Sender sender = node.connect()) {
      sender.send("reset whole\n").send("reset hal");
      node.awaitCount("reset whole", 1);
      sender.reset();
    } catch (SocketException e) {
      throw new AssertionError("expected the node to take everything", e);
    }
    node.send("reset end\n");
    node.awaitCount("reset", 2);
    assertThat(node.find("reset whole")).containsExactly("reset whole");
  }
}
