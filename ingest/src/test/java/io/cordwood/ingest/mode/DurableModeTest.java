package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the durable port acknowledges, and when. */
class DurableModeTest {
  @TempDir Path folder;
  private final HeldForces files = new HeldForces();
  private RunningNode node;

  @BeforeEach
  void start() throws IOException {
    node = new RunningNode(RunningNode.options(folder), files.filesystem());
  }

  private void restart(IngestOptions.Committing committing) throws IOException {
    node.close();
    var options = RunningNode.options(folder).with(committing);
    node = new RunningNode(options, files.filesystem());
  }

  @AfterEach
  void ledgerIsExact() throws IOException {
    files.letGo();
    node.assertLedgerIsExact();
    node.close();
  }

  private Timer timer(String name) {
    return node.registry.get("cordwood_ingest_" + name).timer();
  }

  private static byte[] batch(Ulid first, String... lines) {
    return Records.wire(Records.lines(first, lines));
  }

  private static void send(Socket socket, String lines) throws IOException {
    socket.getOutputStream().write(lines.getBytes(StandardCharsets.UTF_8));
  }

  private static String nextLine(Socket socket) throws IOException {
    var line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }

  private static void awaitAck(Socket socket, long records) throws IOException {
    String last = "";
    while (!last.equals("ack " + records)) {
      last = nextLine(socket);
      assertThat(last).startsWith("ack ");
    }
  }

  @Test
  void lineIsAcknowledgedOnceItWasForced() throws IOException {
    files.hold();
    try (Socket socket = node.connectDurable()) {
      send(socket, "one\ntwo\n\nthree");
      await().until(() -> files.waiting() > 0);
      assertThat(socket.getInputStream().available()).isZero();
      assertThat(node.counted("records_stored")).isZero();
      files.letGo();
      assertThat(nextLine(socket)).isEqualTo("ack 2");
      socket.shutdownOutput();
      assertThat(nextLine(socket)).isEqualTo("ack 3");
      assertThat(socket.getInputStream().read()).isNegative();
    }
    assertThat(RunningNode.text(node.consume(3))).isEqualTo("one\ntwo\nthree\n");
  }

  @Test
  void folderOfANewFileIsForcedBeforeTheFirstAck() throws IOException {
    files.hold(Call.FORCE_FOLDER);
    try (Socket socket = node.connectDurable()) {
      send(socket, "one\n");
      await().until(() -> files.waiting() > 0);
      assertThat(socket.getInputStream().available()).isZero();
      files.letGo();
      assertThat(nextLine(socket)).isEqualTo("ack 1");
    }
  }

  @Test
  void batchesAreStoredAsTheyAreAndAcknowledged() throws IOException {
    var stamper = new UlidStamper(InstantSource.system());
    Ulid first = stamper.stamp(2);
    try (Socket socket = node.connectDurable()) {
      socket.getOutputStream().write(batch(first, "one", "two"));
      awaitAck(socket, 2);
      socket.getOutputStream().write(batch(stamper.stamp(1), "three"));
      awaitAck(socket, 3);
    }
    List<Batch> stored = node.consume(3);
    assertThat(stored.getFirst().first()).isEqualTo(first);
    assertThat(RunningNode.text(stored)).isEqualTo("one\ntwo\nthree\n");
  }

  @Test
  void oneForceServesAllThatWait() throws IOException {
    int senders = 64;
    List<Socket> sockets = new ArrayList<>();
    try {
      files.hold();
      for (int i = 0; i < senders; i++) {
        sockets.add(node.connectDurable());
        send(sockets.getLast(), "line of " + i + "\n");
      }
      await().until(() -> node.counted("records_received") == senders);
      files.letGo();
      for (Socket socket : sockets) {
        assertThat(nextLine(socket)).isEqualTo("ack 1");
      }
      // The first one that came went alone, and nearly all others waited for its force.
      assertThat(timer("force_seconds").count()).isLessThan(senders / 4);
      assertThat(timer("ack_seconds").count()).isEqualTo(senders);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    assertThat(RunningNode.count(node.consume(senders))).isEqualTo(senders);
  }

  @Test
  void loneSenderIsAcknowledgedWithoutCompany() throws IOException {
    try (Socket socket = node.connectDurable()) {
      for (int i = 1; i <= 20; i++) {
        send(socket, "line\n");
        assertThat(nextLine(socket)).isEqualTo("ack " + i);
      }
    }
    assertThat(timer("force_seconds").count()).isEqualTo(20);
  }

  @Test
  void forceWaitsForCompanyIfItIsToldTo() throws IOException {
    restart(new IngestOptions.Committing(Duration.ofMillis(300), 16 << 20, Duration.ofSeconds(1)));
    try (Socket one = node.connectDurable();
        Socket other = node.connectDurable()) {
      send(one, "line\n");
      await().until(() -> node.counted("records_received") == 1);
      send(other, "line\n");
      awaitAck(one, 1);
      awaitAck(other, 1);
    }
    assertThat(timer("ack_seconds").max(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(300);
  }

  @Test
  void senderThatNeverReadsIsNotHeldUp() throws IOException {
    int lines = 20_000;
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), node.node.durablePort()));
      for (int i = 0; i < lines; i++) {
        send(socket, "a line that nobody waits for\n");
      }
      await().until(() -> node.counted("records_stored") == lines);
      socket.shutdownOutput();
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .endsWith("ack " + lines + "\n");
    }
  }

  @Test
  void splitLineCountsAsTheRecordsItBecame() throws IOException {
    String line = "x".repeat((2 << 20) + 10);
    String answer = node.sendDurable((line + "\n").getBytes(StandardCharsets.UTF_8));
    assertThat(answer).endsWith("ack 3\n");
    assertThat(RunningNode.count(node.consume(3))).isEqualTo(3);
  }

  @Test
  void reachedBoundOfUnforcedBytesPausesReading() throws IOException {
    restart(new IngestOptions.Committing(Duration.ZERO, 4000, Duration.ofSeconds(1)));
    files.hold();
    try (Socket socket = node.connectDurable()) {
      for (int i = 0; i < 30; i++) {
        send(socket, "x".repeat(99) + "\n");
        int sent = i + 1;
        await()
            .until(() ->
                node.counted("records_received") == sent
                    || node.counted("pauses", "reason", "force") > 0);
      }
      assertThat(node.counted("pauses", "reason", "force")).isPositive();
      assertThat(node.registry.get("cordwood_ingest_unforced_bytes").gauge().value())
          .isBetween(1.0, 4000.0);
      files.letGo();
      awaitAck(socket, 30);
    }
    assertThat(node.registry.get("cordwood_ingest_unforced_bytes").gauge().value()).isZero();
    assertThat(RunningNode.count(node.consume(30))).isEqualTo(30);
  }

  @Test
  void batchThatIsSentAThousandTimesIsAcknowledgedEachTime() throws IOException {
    int times = 1000;
    byte[] batch = batch(new UlidStamper(InstantSource.system()).stamp(1), "again");
    try (Socket socket = node.connectDurable()) {
      for (int i = 0; i < times; i++) {
        socket.getOutputStream().write(batch);
      }
      awaitAck(socket, times);
    }
    assertThat(node.consume(times).stream().map(Batch::first).distinct()).hasSize(1);
  }

  @Test
  void batchesBeforeOneThatStopsInTheMiddleAreAcknowledged() throws IOException {
    var stamper = new UlidStamper(InstantSource.system());
    byte[] whole = batch(stamper.stamp(1), "whole");
    byte[] cut = Arrays.copyOf(batch(stamper.stamp(1), "cut off"), 50);
    byte[] both = Arrays.copyOf(whole, whole.length + cut.length);
    System.arraycopy(cut, 0, both, whole.length, cut.length);
    assertThat(node.sendDurable(both)).isEqualTo("ack 1\n");
    assertThat(RunningNode.text(node.consume(1))).isEqualTo("whole\n");
    assertThat(node.counted("bytes_rejected", "reason", "cut")).isEqualTo(50);
  }

  @Test
  void refusedSenderFirstLearnsWhatIsSafe() throws IOException {
    files.hold();
    byte[] good = batch(new UlidStamper(InstantSource.system()).stamp(1), "good");
    byte[] both = Arrays.copyOf(good, good.length + 100);
    try (Socket socket = node.connectDurable()) {
      socket.getOutputStream().write(both);
      await().until(() -> files.waiting() > 0);
      assertThat(socket.getInputStream().available()).isZero();
      files.letGo();
      assertThat(nextLine(socket)).isEqualTo("ack 1");
      assertThat(nextLine(socket)).startsWith("error: ");
    }
    assertThat(RunningNode.text(node.consume(1))).isEqualTo("good\n");
  }

  @Test
  void batchWithAClockAYearOffIsStampedAnewAndAcknowledged() throws IOException {
    InstantSource yearAgo = InstantSource.offset(InstantSource.system(), Duration.ofDays(-365));
    Ulid first = new UlidStamper(yearAgo).stamp(1);
    assertThat(node.sendDurable(batch(first, "late"))).isEqualTo("ack 1\n");
    assertThat(node.counted("batches_restamped")).isEqualTo(1);
    assertThat(node.consume(1).getFirst().first().millis()).isGreaterThan(first.millis());
  }

  @Test
  void acknowledgedRecordsAreFoundAfterTheProcessDiedAtOnce() throws IOException {
    Path crashed = folder.resolve("crashed");
    try (Socket socket = node.connectDurable()) {
      send(socket, "one\ntwo\n");
      awaitAck(socket, 2);
      node.copyFilesTo(crashed);
    }
    try (var other = RunningNode.in(crashed)) {
      assertThat(RunningNode.text(other.consume(2))).isEqualTo("one\ntwo\n");
    }
  }
}
