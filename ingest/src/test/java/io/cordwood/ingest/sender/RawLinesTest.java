package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.testing.Seed;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Raw lines from a socket come back from the segments, byte-exact, and the ledger is right. */
class RawLinesTest extends RunningNodeFixture {
  @Test
  void linesComeBack() throws IOException {
    node.assertStoredAs("one\ntwo\nthree\n", "one\ntwo\nthree\n", 3);
    assertThat(node.counted("records_stored")).isEqualTo(3);
    assertThat(node.counted("bytes_stored")).isEqualTo(14);
  }

  @Test
  void lastLineWithoutLfIsARecord() throws IOException {
    node.assertStoredAs("one\ntwo", "one\ntwo\n", 2);
  }

  @Test
  void blankLinesAreIgnoredAndCounted() throws IOException {
    node.assertStoredAs("\n\r\n\none\n\n\r\ntwo\n\nx\n\n", "one\ntwo\nx\n", 3);
    assertThat(node.counted("blank_lines_ignored")).isEqualTo(7);
    assertThat(node.counted("bytes_rejected", "reason", "blank")).isEqualTo(9);
  }

  @Test
  void nothingButBlankLinesMakesNoSegment() throws IOException {
    node.send("\n\n\r\n");
    node.send("\r");
    assertThat(node.counted("blank_lines_ignored")).isEqualTo(4);
    assertThat(node.counted("records_received")).isZero();
    assertThat(node.files()).isEmpty();
  }

  @Test
  void shortLinesAreNoBlankLines() throws IOException {
    node.assertStoredAs("a\nb\nc\n \n\t\n\r\r\n", "a\nb\nc\n \n\t\n\r\r\n", 6);
  }

  @Test
  void linesAreCutIntoBatchesThatFillABlock() throws IOException {
    String shorter = "a line of several bytes\n".repeat(100_000);
    String longer = "x".repeat(2 * LineReader.BATCH_BYTES) + "\n";
    String sent = shorter + longer + shorter;
    assertThat(node.send(sent)).isEmpty();
    List<Batch> batches = node.consume(200_001);
    assertThat(RunningNode.text(batches)).isEqualTo(sent);
    assertThat(batches)
        .filteredOn(batch -> batch.records() > 1)
        .allMatch(batch -> batch.payload().remaining() <= LineReader.BATCH_BYTES);
  }

  @Test
  void crLfIsKept() throws IOException {
    node.assertStoredAs("one\r\ntwo\r\n", "one\r\ntwo\r\n", 2);
  }

  @Test
  void allByteValuesComeBack() throws IOException {
    byte[] line = new byte[256];
    for (int i = 0; i < 256; i++) {
      line[i] = (byte) i;
    }
    node.send(line);
    assertThat(RunningNode.bytes(node.consume(2))).isEqualTo(Arrays.copyOf(withLf(line), 257));
  }

  @Test
  void startOfAMagicIsALineIfTheRestIsNot() throws IOException {
    byte[] line = {(byte) 0xFC, 'C', 'W', 'X', '\n', (byte) 0xFC};
    node.send(line);
    assertThat(RunningNode.bytes(node.consume(2))).isEqualTo(withLf(line));
    node.send(new byte[] {(byte) 0xFC, 'C', 'W'});
    assertThat(RunningNode.bytes(node.consume(1)))
        .isEqualTo(new byte[] {(byte) 0xFC, 'C', 'W', '\n'});
  }

  private static byte[] withLf(byte[] line) {
    byte[] longer = Arrays.copyOf(line, line.length + 1);
    longer[line.length] = '\n';
    return longer;
  }

  @Test
  void lineOverTheLimitBecomesSeveralRecords() throws IOException {
    byte[] line = new byte[3 << 20];
    new Random(1).nextBytes(line);
    for (int i = 0; i < line.length; i++) {
      line[i] = line[i] == '\n' ? (byte) ' ' : line[i];
    }
    try (Socket socket = node.connect()) {
      OutputStream out = socket.getOutputStream();
      out.write("before\n".getBytes(StandardCharsets.UTF_8));
      out.write(line);
      out.write("\nafter\n".getBytes(StandardCharsets.UTF_8));
    }
    byte[] stored = RunningNode.bytes(node.consume(5));
    byte[] joined = new byte[3 << 20];
    for (int part = 0; part < 3; part++) {
      int from = "before\n".length() + part * (BatchHeader.MAX_RECORD_BYTES + 1);
      System.arraycopy(stored, from, joined, part << 20, 1 << 20);
    }
    assertThat(Arrays.equals(joined, line)).as("the three parts, joined").isTrue();
    assertThat(new String(stored, stored.length - 6, 6, StandardCharsets.UTF_8))
        .isEqualTo("after\n");
    assertThat(node.counted("lines_split")).isEqualTo(1);
  }

  @Test
  void lineAtTheLimitIsOneRecord() throws IOException {
    String line = "x".repeat(BatchHeader.MAX_RECORD_BYTES) + "\n";
    node.assertStoredAs(line + line, line + line, 2);
    assertThat(node.counted("lines_split")).isZero();
  }

  @Test
  void connectionsKeepTheirOrderAndGetUniqueUlids() throws IOException {
    try (Socket a = node.connect();
        Socket b = node.connect();
        Socket c = node.connect()) {
      for (int i = 0; i < 500; i++) {
        a.getOutputStream().write(("a" + i + "\n").getBytes(StandardCharsets.UTF_8));
        b.getOutputStream().write(("b" + i + "\n").getBytes(StandardCharsets.UTF_8));
        c.getOutputStream().write(("c" + i + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    List<Batch> batches = new ArrayList<>(node.consume(1500));
    batches.sort(java.util.Comparator.comparing(Batch::first));
    Set<Ulid> ulids = new HashSet<>();
    for (Batch batch : batches) {
      for (int i = 0; i < batch.records(); i++) {
        ulids.add(batch.first().plus(i));
      }
    }
    assertThat(ulids).hasSize(1500);
    List<String> lines = RunningNode.text(batches).lines().toList();
    for (String sender : List.of("a", "b", "c")) {
      assertThat(lines.stream().filter(line -> line.startsWith(sender)))
          .containsExactlyElementsOf(
              java.util.stream.IntStream.range(0, 500).mapToObj(i -> sender + i).toList());
    }
  }

  @Test
  void byteAtATimeIsTheSame() throws IOException {
    sendByteByByte("first line\n\nsecond\r\nthird");
    assertThat(RunningNode.text(node.consume(3))).isEqualTo("first line\nsecond\r\nthird\n");
  }

  @Test
  void halfClosedSenderIsStoredAndClosed() throws IOException {
    try (Socket socket = node.connect()) {
      socket.getOutputStream().write("half".getBytes(StandardCharsets.UTF_8));
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
      assertThat(RunningNode.text(node.consume(1))).isEqualTo("half\n");
    }
  }

  @Test
  void randomLinesInRandomPiecesComeBack() throws IOException {
    long seed = Seed.of(RawLinesTest.class);
    var random = new Random(seed);
    var expected = new StringBuilder();
    int lines = 0;
    try (Socket socket = node.connect()) {
      for (int i = 0; i < 200; i++) {
        String line = "x".repeat(1 + random.nextInt(i % 20 == 0 ? 200_000 : 200));
        expected.append(line).append('\n');
        lines++;
        int cut = random.nextInt(line.length());
        socket.getOutputStream().write(line.substring(0, cut).getBytes(StandardCharsets.UTF_8));
        socket
            .getOutputStream()
            .write((line.substring(cut) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThat(RunningNode.text(node.consume(lines)).contentEquals(expected))
        .as("seed %d", seed)
        .isTrue();
  }

  @Test
  void idleConnectionsDoNotHurtOthers() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        Socket socket = node.connect();
        socket.getOutputStream().write(i % 2 == 0 ? new byte[0] : new byte[] {'u'});
        idle.add(socket);
      }
      node.assertStoredAs("busy\n".repeat(1000), "busy\n".repeat(1000), 1000);
      assertThat(node.registry.get("cordwood_ingest_held_bytes").gauge().value())
          .as("bytes held for 500 unfinished lines of a byte")
          .isLessThan(500 * 1024);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
    node.consume(500);
  }
}
