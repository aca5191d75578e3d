package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Preamble;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.Ledger;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection's first line names the topic of the others, or is data; nothing is in between. */
class TopicsTest extends RunningNodeFixture {
  private static final int MAX_TOPICS = 3;

  @Override
  IngestOptions options() {
    IngestOptions options = super.options();
    return options.with(options.quotas().withMaxTopics(MAX_TOPICS));
  }

  /** All that is stored, by topic. */
  private Map<String, String> stored(int records) throws IOException {
    Map<String, String> byTopic = new TreeMap<>();
    for (Batch batch : node.consume(records)) {
      byTopic.merge(batch.topic().name(), RunningNode.text(List.of(batch)), String::concat);
    }
    return byTopic;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CORDWOOD/1 topic=shop\n",
        "CORDWOOD/1 topic=shop\r\n",
        "CORDWOOD/1   topic=shop  \r\n",
      })
  void preambleNamesTheTopic(String preamble) throws IOException {
    assertThat(node.send(preamble + "one\ntwo")).isEmpty();
    assertThat(stored(2)).containsExactly(Map.entry("shop", "one\ntwo\n"));
    assertThat(node.counted("records_stored", "topic", "shop")).isEqualTo(2);
    assertThat(node.counted("bytes_rejected", "topic", "shop", "reason", "preamble"))
        .isEqualTo(preamble.length());
  }

  @Test
  void longestNameIsTaken() throws IOException {
    String name = "n".repeat(Topic.MAX_BYTES);
    assertThat(node.send("CORDWOOD/1 topic=" + name + "\r\nx\n")).isEmpty();
    assertThat(stored(1)).containsExactly(Map.entry(name, "x\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CORDWOOD/1\n", "CORDWOOD/1\r\n", "CORDWOOD/1 \n"})
  void preambleWithoutATopicLeavesTheDefault(String preamble) throws IOException {
    node.send(preamble + "x\n");
    assertThat(stored(1)).containsExactly(Map.entry("default", "x\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CORDWOOD/1x",
        " CORDWOOD/1",
        "CORDWOOD/1\ttopic=shop",
        "CORDWOOD/1topic=shop",
        "CORDWOOD/1.1 topic=shop",
        "CORDWOOD/ topic=shop",
        "CORDWOOD/1234 topic=shop",
        "CORDWOOD topic=shop",
        "cordwood/1 topic=shop",
        "CORDWOOD/",
        "C",
      })
  void firstLineThatOnlyLooksSimilarIsData(String line) throws IOException {
    assertThat(node.send(line)).isEmpty();
    assertThat(node.send(line + "\nmore\n")).isEmpty();
    assertThat(stored(3)).containsOnlyKeys("default");
    assertThat(node.counted("bytes_stored")).isEqualTo(2L * line.length() + 6);
  }

  @Test
  void behindAPreambleAllIsLines() throws IOException {
    byte[] magic = {(byte) 0xFC, 'C', 'W', 'B'};
    byte[] preambles = "CORDWOOD/1 topic=a\nCORDWOOD/1 topic=b\n".getBytes(StandardCharsets.UTF_8);
    node.send(joined(preambles, magic));
    List<Batch> batches = node.consume(2);
    assertThat(RunningNode.bytes(batches))
        .isEqualTo(
            joined(
                "CORDWOOD/1 topic=b\n".getBytes(StandardCharsets.UTF_8), magic, new byte[] {'\n'}));
    assertThat(batches).allMatch(batch -> batch.topic().name().equals("a"));
  }

  private static byte[] joined(byte[]... parts) {
    var all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CORDWOOD/1 topic=|expected a topic of 1 to 128 characters",
        "CORDWOOD/1 topic=../x|found \"../x\"",
        "CORDWOOD/1 topic=a/b|found \"a/b\"",
        "CORDWOOD/1 topic=-a|that begins with a letter or a digit",
        "CORDWOOD/1 topic=\u00e4|expected a topic",
        "CORDWOOD/1 topic=a tenant=b|expected topic=NAME, found \"tenant=b\"",
        "CORDWOOD/1 Topic=a|expected topic=NAME, found \"Topic=a\"",
        "CORDWOOD/1 label.a b=1|expected label.NAME=VALUE, found \"label.a\"",
        "CORDWOOD/1 shop|expected topic=NAME, found \"shop\"",
        "CORDWOOD/1 topic=a topic=a|expected one topic, found two",
        "CORDWOOD/1 times=kept times=kept|expected one times=kept, found two",
        "CORDWOOD/1 times=kept topic=a|expected times=kept without a topic, for batches, found",
        "CORDWOOD/1 times=now|expected topic=NAME, found \"times=now\"",
        "CORDWOOD/2 topic=a|expected CORDWOOD/1, found CORDWOOD/2",
        "CORDWOOD/0|expected CORDWOOD/1, found CORDWOOD/0",
        "CORDWOOD/01|expected CORDWOOD/1, found CORDWOOD/01",
      })
  void badPreambleIsRefusedAndNeverData(String line, String why) throws IOException {
    String sent = line + "\r\nnot stored\n";
    try (Socket other = node.connect()) {
      assertThat(node.send(sent)).startsWith("error: in the preamble: expected ").contains(why);
      other.getOutputStream().write("unharmed\n".getBytes(StandardCharsets.UTF_8));
      assertThat(stored(1)).containsExactly(Map.entry("default", "unharmed\n"));
    }
    long bytes = sent.getBytes(StandardCharsets.UTF_8).length;
    await().until(() -> noTopic("bytes", RejectReason.BAD_PREAMBLE) == bytes);
    assertThat(node.topics()).containsExactlyInAnyOrder(Ledger.NO_TOPIC, "default");
  }

  private long noTopic(String what, RejectReason reason) {
    return node.counted(what + "_rejected", "topic", Ledger.NO_TOPIC, "reason", reason.label());
  }

  @Test
  void controlCharactersOfABadPreambleAreNotSentBack() throws IOException {
    assertThat(node.send("CORDWOOD/1 topic=\u001b[31m\u0007\n"))
        .isEqualTo(
            "error: in the preamble: expected a topic of 1 to 128 characters of A-Z a-z 0-9 . _ -"
                + " that begins with a letter or a digit, found \"?[31m?\"\n");
  }

  @Test
  void labelsOfThePreambleAreThoseOfAllLinesAndASecondPreambleIsData() throws IOException {
    String preamble = "CORDWOOD/1 topic=shop label.pod=web-1 label.x=a%20b\n";
    String second = "CORDWOOD/1 topic=shop label.pod=web-2\n";
    assertThat(node.send(preamble + "one\n" + second)).isEmpty();
    List<Batch> batches = node.consume(2);
    assertThat(RunningNode.text(batches)).isEqualTo("one\n" + second);
    assertThat(batches)
        .allMatch(batch -> batch.labels().pairs().equals(Map.of("pod", "web-1", "x", "a b")));
    assertThat(node.counted("bytes_rejected", "topic", "shop", "reason", "preamble"))
        .isEqualTo(preamble.length());
  }

  @Test
  void topicThatIsTooLongIsRefused() throws IOException {
    assertThat(node.send("CORDWOOD/1 topic=" + "n".repeat(Topic.MAX_BYTES + 1) + "\nx\n"))
        .startsWith("error: in the preamble: expected a topic of 1 to 128 characters");
  }

  @Test
  void preambleWithoutAnEndIsRefusedWithoutWaitingForOne() throws IOException {
    try (Socket socket = node.connect()) {
      byte[] start =
          ("CORDWOOD/1 topic=" + "n".repeat(Preamble.MAX_BYTES))
              .getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(start);
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .isEqualTo(
              "error: in the preamble: expected a preamble of at most 32768 bytes, found no line"
                  + " feed in them\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"CORDWOOD/1", "CORDWOOD/1 ", "CORDWOOD/1 topic=sh", "CORDWOOD/1 topic=a\r"})
  void preambleThatTheConnectionsEndCutsIsRefused(String start) throws IOException {
    assertThat(node.send(start))
        .isEqualTo(
            "error: in the preamble: expected the preamble's line feed, found the connection's"
                + " end\n");
    await().until(() -> noTopic("bytes", RejectReason.BAD_PREAMBLE) == start.length());
    assertThat(node.counted("records_received")).isZero();
  }

  @Test
  void preambleByteByByteIsTheSame() throws IOException {
    sendByteByByte("CORDWOOD/1 topic=slow\r\none\n");
    assertThat(stored(1)).containsExactly(Map.entry("slow", "one\n"));
  }

  @Test
  void topicBeyondTheBoundIsRefusedAndKnownOnesAreNot() throws IOException {
    for (String topic : List.of("b", "c", "d", "b", "default")) {
      assertThat(node.send("CORDWOOD/1 topic=" + topic + "\nx\n")).isEmpty();
    }
    String tooMany =
        "error: expected at most 3 topics besides default since this node was started, found one"
            + " more: e\n";
    assertThat(node.send("CORDWOOD/1 topic=e\nlost\n")).isEqualTo(tooMany);
    assertThat(node.send(batch("e", "lost", "too"))).isEqualTo(tooMany);
    assertThat(node.send(batch("d", "x"))).isEqualTo("ack 1\n");
    assertThat(node.send("x\n")).isEmpty();
    assertThat(stored(7)).containsOnlyKeys("b", "c", "d", "default");
    assertThat(noTopic("records", RejectReason.TOPICS)).isEqualTo(2);
    assertThat(node.topics()).containsExactlyInAnyOrder(Ledger.NO_TOPIC, "b", "c", "d", "default");
    assertThat(node.registry.get("cordwood_ingest_topics").gauge().value()).isEqualTo(4);
  }

  private static byte[] batch(String topic, String... records) {
    var stamper = new UlidStamper(InstantSource.system());
    return Records.wire(Records.lines(new Topic(topic), stamper.stamp(records.length), records));
  }

  @Test
  void ulidsOfAnotherTopicAreABatchOfTheirOwn() throws IOException {
    var stamper = new UlidStamper(InstantSource.system());
    Batch mine = Records.lines(new Topic("mine"), stamper.stamp(1), "mine");
    Batch theirs = Records.lines(new Topic("theirs"), mine.first(), "theirs");
    node.send(Records.wire(mine, theirs));
    assertThat(stored(2))
        .containsExactly(Map.entry("mine", "mine\n"), Map.entry("theirs", "theirs\n"));
  }

  @Test
  void namesAreAtMostAsLongAsAPreambleMayBe() {
    assertThat("CORDWOOD/1 topic=\r\n".length() + Topic.MAX_BYTES)
        .isLessThanOrEqualTo(Preamble.MAX_BYTES);
    assertThat(BatchHeader.MAX_RECORD_BYTES).isGreaterThan(Preamble.MAX_BYTES);
  }
}
