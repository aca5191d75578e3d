package io.cordwood.ingest.fluent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.komamitsu.fluency.Fluency;
import org.komamitsu.fluency.fluentd.FluencyBuilderForFluentd;

/** An acknowledgement means that records are forced; without it, a client sends them again. */
class ForwardAcksTest extends ForwardFixture {
  private static final long NOW = 1_795_000_000;

  @Test
  void whatIsSentAgainIsStoredOnceOnOneNode() throws Exception {
    for (long time : new long[] {NOW, 0}) {
      byte[] message = message("t" + time, time, "same", "c");
      assertThat(send(message) + send(message)).isEqualTo(ack("c") + ack("c"));
      var twice = new ByteArrayOutputStream();
      twice.writeBytes(message);
      twice.writeBytes(message);
      assertThat(send(twice.toByteArray())).isEqualTo(ack("c") + ack("c"));
    }
    assertThat(StoredEvent.of(node, 2)).hasSize(2);
    assertThat(node.counted("records_received")).isEqualTo(2);
    node.assertLedgerIsExact();
  }

  @Test
  void otherRecordsWithTheSameChunkAreStored() throws Exception {
    assertThat(send(message("t", NOW, "one", "c"))).isEqualTo(ack("c"));
    assertThat(send(message("t", NOW, "two", "c"))).isEqualTo(ack("c"));
    assertThat(send(message("u", NOW, "one", "c"))).isEqualTo(ack("c"));
    assertThat(firsts(node, 3)).doesNotHaveDuplicates();
  }

  private static List<Ulid> firsts(RunningNode from, int records) throws IOException {
    return from.consume(records).stream().map(Batch::first).toList();
  }

  @Test
  void whatIsSentAgainToAnotherNodeIsTheSameBatches() throws Exception {
    byte[] message = chunk("c", 3000);
    try (RunningNode other = started("other", AGES, Filesystem.real())) {
      assertThat(text(send(node, message)) + text(send(other, message)))
          .isEqualTo(ack("c") + ack("c"));
      List<Ulid> first = firsts(node, 3000);
      assertThat(first).doesNotHaveDuplicates();
      assertThat(firsts(other, 3000)).containsExactlyInAnyOrderElementsOf(first);
    }
  }

  private static byte[] chunk(String name, int records) throws IOException {
    byte[] entries =
        packed(packer -> {
          for (int i = 0; i < records; i++) {
            packer.packArrayHeader(2).packLong(NOW + i % 7).packMapHeader(1);
            packer.packString("m").packString("x".repeat(i % 500));
          }
        });
    return packed(packer -> {
      packer.packArrayHeader(3).packString("t").packRawStringHeader(entries.length);
      packer.addPayload(entries).packMapHeader(1).packString("chunk").packString(name);
    });
  }

  @Test
  void aLargeChunkIsTheSameBatchesWhateverCameBeforeItAndHoweverMuchIsHeld() throws Exception {
    byte[] large = chunk("c", 9000);
    var behind = new ByteArrayOutputStream();
    behind.writeBytes(chunk("b", 2000));
    behind.writeBytes(large);
    var holding = new IngestOptions.Limits(2000, 3 << 20, 1 << 20, AGES, Duration.ofSeconds(2));
    try (RunningNode other = started("other", AGES, Filesystem.real());
        RunningNode full = new RunningNode(options(folder.resolve("full"), AGES).with(holding))) {
      assertThat(text(send(other, behind.toByteArray()))).isEqualTo(ack("b") + ack("c"));
      assertThat(text(send(full, large)) + send(large)).isEqualTo(ack("c") + ack("c"));
      List<Ulid> alone = firsts(node, 9000);
      assertThat(alone).doesNotHaveDuplicates();
      assertThat(firsts(full, 9000)).containsExactlyInAnyOrderElementsOf(alone);
      assertThat(firsts(other, 11_000)).containsAll(alone);
    }
  }

  @Test
  void aChunkThatIsDamagedIsNotAcknowledgedWhenItComesAgain() throws Exception {
    byte[] damaged =
        packed(packer -> {
          packer.packArrayHeader(3).packString("t").packArrayHeader(3);
          packer.packArrayHeader(2).packLong(NOW).packString("first");
          packer.packArrayHeader(1).packLong(NOW);
          packer.packArrayHeader(2).packLong(NOW).packString("last");
          packer.packMapHeader(1).packString("chunk").packString("d");
        });
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(message("t", NOW, "good", "g"));
    bytes.writeBytes(damaged);
    assertThat(send(bytes.toByteArray())).isIn(ack("g"), "");
    assertThat(send(damaged)).isEmpty();
  }

  @Test
  void theSameLineTwiceInOneChunkIsTwoRecords() throws Exception {
    byte[] message =
        packed(packer -> {
          packer.packArrayHeader(3).packString("t").packArrayHeader(3);
          for (long time : new long[] {NOW, NOW + 1, NOW}) {
            packer.packArrayHeader(2).packLong(time).packString("tick");
          }
          packer.packMapHeader(1).packString("chunk").packString("c");
        });
    assertThat(send(message)).isEqualTo(ack("c"));
    assertThat(firsts(node, 3)).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void aDiskThatCannotForceIsNoAcknowledgementAndEndsTheConnection() throws Exception {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    try (RunningNode faulty = started("faulty", AGES, files)) {
      for (int i = 0; i < 3; i++) {
        assertThat(send(faulty, message("t", NOW, "one", "c"))).isEmpty();
      }
      assertThat(faulty.counted("requests", "protocol", "fluent", "outcome", "refused"))
          .isEqualTo(3);
      failing.set(false);
      await().until(() -> text(send(faulty, message("t", NOW, "one", "c"))).equals(ack("c")));
      faulty.assertLedgerIsExact();
    }
  }

  @Test
  void aClientThatWaitsWithOpenConnectionIsAcknowledgedAtOnce() throws Exception {
    try (Socket socket = connect(node)) {
      for (int i = 0; i < 20; i++) {
        socket.getOutputStream().write(message("t", NOW, "m" + i, "c" + i));
        String expected = ack("c" + i);
        assertThat(text(socket.getInputStream().readNBytes(expected.length()))).isEqualTo(expected);
      }
      // Half a message keeps nothing back that came before it.
      socket.getOutputStream().write(message("t", NOW, "last", "z"));
      socket.getOutputStream().write(new byte[] {(byte) 0x93});
      assertThat(text(socket.getInputStream().readNBytes(ack("z").length()))).isEqualTo(ack("z"));
    }
    assertThat(StoredEvent.of(node, 21)).hasSize(21);
  }

  @Test
  void aNodeThatEndsStoresWhatHasCome() throws Exception {
    node.close();
    node = new RunningNode(RunningNode.patient(options(folder.resolve("patient"), AGES)));
    try (Socket socket = connect(node)) {
      socket.getOutputStream().write(message("t", NOW, "one", ""));
      await().until(() -> node.counted("bytes_read") > 0);
      node.node.stopTaking();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(node.counted("records_stored")).isEqualTo(1);
  }

  @Test
  void fluencySendsAgainAfterALostAcknowledgementAndAllIsStoredOnce() throws Exception {
    var lost = new AtomicInteger();
    try (var listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var _ = Thread.ofVirtual().start(() -> proxy(listening, lost));
      var builder = new FluencyBuilderForFluentd();
      builder.setAckResponseMode(true);
      builder.setSenderBaseRetryIntervalMillis(10);
      builder.setWaitUntilBufferFlushed(120);
      builder.setWaitUntilFlusherTerminated(120);
      try (Fluency fluency = builder.build("127.0.0.1", listening.getLocalPort())) {
        for (int i = 0; i < 1000; i++) {
          fluency.emit("java.app", Map.of("n", i));
        }
        fluency.flush();
        await().until(() -> node.counted("requests", "outcome", "stored") > 1);
      }
    }
    assertThat(lost).hasPositiveValue();
    List<StoredEvent> events = StoredEvent.of(node, 1000);
    assertThat(events).extracting(StoredEvent::text).doesNotHaveDuplicates();
    assertThat(node.counted("records_received")).isEqualTo(1000);
  }

  /** Cuts the first answer off. */
  private void proxy(ServerSocket listening, AtomicInteger lost) {
    while (true) {
      try (Socket client = listening.accept();
          Socket there = connect(node)) {
        var _ = Thread.ofVirtual().start(() -> copy(client, there));
        InputStream answers = there.getInputStream();
        byte[] answer = new byte[1000];
        for (int count = answers.read(answer); count > 0; count = answers.read(answer)) {
          if (lost.getAndIncrement() == 0) {
            break;
          }
          client.getOutputStream().write(answer, 0, count);
        }
      } catch (IOException e) {
        if (listening.isClosed()) {
          return;
        }
      }
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // The other side has ended.
    }
  }
}
