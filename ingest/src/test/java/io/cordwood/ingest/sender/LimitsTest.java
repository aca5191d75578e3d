package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.IngestOptions.Limits;
import io.cordwood.ingest.IngestOptions.Quotas;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that ask for more than they may wait or are told so, and the others notice nothing. */
class LimitsTest {
  private static final long NONE = Long.MAX_VALUE;
  private static final int FEW_BYTES = 1 << 10;

  @TempDir Path folder;

  private RunningNode with(UnaryOperator<Quotas> change) throws IOException {
    var options = RunningNode.options(folder);
    return new RunningNode(options.with(change.apply(options.quotas())));
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void connectionOverItsRateWaitsAndTheOthersDoNot() throws IOException {
    try (var node = with(quotas -> quotas.withRates(NONE, FEW_BYTES));
        Socket greedy = node.connect()) {
      write(greedy, "x".repeat(1 << 20) + "\n"); // Some minutes, at this rate.
      await().until(() -> node.counted("pauses", "reason", "connection_rate") > 0);
      for (int other = 0; other < 8; other++) {
        node.send("other\n"); // Each loop has some of them.
      }
      assertThat(node.counted("records_stored")).isEqualTo(8);
      node.consume(8);
    }
  }

  @Test
  void allConnectionsShareTheRateOfTheNode() throws IOException {
    try (var node = with(quotas -> quotas.withRates(FEW_BYTES, NONE));
        Socket first = node.connect();
        Socket second = node.connect()) {
      write(first, "x".repeat(256 * FEW_BYTES) + "\n");
      await().until(() -> node.counted("pauses", "reason", "rate") == 1);
      write(second, "y\n");
      await().until(() -> node.counted("pauses", "reason", "rate") == 2);
    }
  }

  @Test
  void limitedSenderIsReadInTheEnd() throws IOException {
    try (var node = with(quotas -> quotas.withRates(NONE, 4 << 20))) {
      String lines = "line\n".repeat(1 << 19);
      node.send(lines);
      assertThat(node.counted("pauses", "reason", "connection_rate")).isPositive();
      assertThat(RunningNode.text(node.consume(1 << 19)).contentEquals(lines)).isTrue();
    }
  }

  @Test
  void whatALimitedSenderHadSentIsStoredWhenTheNodeEnds() throws IOException {
    String lines = "line\n".repeat(1 << 16);
    var options = RunningNode.patient(RunningNode.options(folder));
    var node = new RunningNode(options.with(options.quotas().withRates(NONE, FEW_BYTES)));
    try (Socket socket = node.connect()) {
      write(socket, lines);
      await().until(() -> node.counted("pauses", "reason", "connection_rate") > 0);
    } finally {
      node.close();
    }
    assertThat(node.counted("records_stored")).isEqualTo(1 << 16);
  }

  @Test
  void addressWithTooManyConnectionsIsToldSo() throws IOException {
    try (var node = with(quotas -> quotas.withMaxConnectionsPerAddress(2));
        Socket first = node.connect();
        Socket second = node.connect()) {
      write(first, "1\n");
      write(second, "2\n");
      node.consume(2);
      assertThat(node.send(""))
          .isEqualTo("error: expected at most 2 connections from 127.0.0.1, found more\n");
      var elsewhere = InetAddress.getByName("127.0.0.2");
      try (var other =
          new Socket(InetAddress.getLoopbackAddress(), node.node.fastPort(), elsewhere, 0)) {
        write(other, "4\n");
        node.consume(1);
      }
      first.shutdownOutput();
      await().until(() -> node.send("").isEmpty());
      assertThat(node.counted("connections_refused")).isPositive();
    }
  }

  private RunningNode withMaxHeld(long bytes) throws IOException {
    var options = RunningNode.options(folder);
    var usual = options.limits();
    return new RunningNode(
        options.with(
            new Limits(
                usual.maxConnections(),
                bytes,
                usual.reserveBytes(),
                usual.maxSkew(),
                usual.drain())));
  }

  private static double held(RunningNode node) {
    return node.registry.get("cordwood_ingest_held_bytes").gauge().value();
  }

  @Test
  void linesWithoutAnEndAreCutOnceTheyTakeTooMuchMemory() throws IOException {
    int each = 256 << 10;
    List<Socket> senders = new ArrayList<>();
    try (var node = withMaxHeld(1 << 20)) {
      for (int i = 1; i <= 32; i++) {
        Socket sender = node.connect();
        senders.add(sender);
        write(sender, "x".repeat(each));
        long sent = (long) i * each;
        await().until(() -> node.counted("bytes_read") == sent);
      }
      assertThat(held(node)).isLessThan(4 << 20);
      assertThat(node.counted("lines_split")).isPositive();
      for (Socket sender : senders) {
        sender.close();
      }
      await().until(() -> node.counted("bytes_stored") == 32L * each);
      node.assertLedgerIsExact();
    }
  }

  @Test
  void unfinishedBatchesThatTakeTooMuchMemoryAreRefused() throws IOException {
    byte[] half = Arrays.copyOf(batch("x".repeat(512 << 10)), 256 << 10);
    int refused = 0;
    List<Socket> senders = new ArrayList<>();
    try (var node = withMaxHeld(1 << 20)) {
      for (int i = 1; i <= 32; i++) {
        Socket sender = node.connect();
        senders.add(sender);
        sender.getOutputStream().write(half);
        long sent = (long) i * half.length;
        await().until(() -> node.counted("bytes_read") == sent);
      }
      assertThat(held(node)).isLessThan(4 << 20);
      node.send("one that is small\n");
      node.consume(1);
      for (Socket sender : senders) {
        sender.shutdownOutput();
        String said = new String(sender.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        refused += said.contains("too many unfinished batches are held; found") ? 1 : 0;
        sender.close();
      }
      assertThat(refused).isBetween(24, 31);
      assertThat(node.counted("bytes_rejected", "reason", "memory"))
          .isEqualTo((long) refused * half.length);
      node.assertLedgerIsExact();
    }
  }

  private static byte[] batch(String record) {
    var first = new UlidStamper(InstantSource.system()).stamp(1);
    return Records.wire(Records.lines(first, record));
  }

  @Test
  void loadIsSeen() throws IOException {
    try (var node = RunningNode.in(folder);
        Socket socket = node.connect()) {
      write(socket, "x".repeat(1 << 20) + "\n");
      await().until(() -> node.node.load().backlogBytes() > 1 << 20);
      await().until(() -> node.node.load().bytesPerSecond() > 0);
      assertThat(node.node.load().connections()).isEqualTo(1);
      assertThat(node.node.load().freeDiskBytes()).isPositive();
      node.consume(1);
      assertThat(node.node.load().backlogBytes()).isZero();
    }
  }

  @Test
  void endingNodeWaitsForAStoreThatIsThere() throws Exception {
    var options = RunningNode.options(folder).withHandOver(RunningNode.PATIENCE);
    var node = new RunningNode(options);
    var store = Thread.ofVirtual().start(() -> consumeOne(node));
    await().until(() -> node.log().claims().claimedWithin(Duration.ofSeconds(1)));
    try (Socket socket = node.connect()) {
      write(socket, "last\n");
      await().until(() -> node.counted("records_stored") == 1);
      node.node.stopTaking();
      assertThat(node.log().claims().held()).isZero();
    } finally {
      node.close();
    }
    store.join();
  }

  private static void consumeOne(RunningNode node) {
    try {
      node.consume(1);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
