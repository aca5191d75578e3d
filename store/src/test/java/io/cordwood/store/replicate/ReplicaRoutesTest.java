package io.cordwood.store.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultAt;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.store.replicate.ServedStore.Setup;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store does with replicas that come over a socket, whole and otherwise. */
final class ReplicaRoutesTest {
  private static final Duration LONG = Patience.LONG;

  @TempDir Path folder;
  private final PeerClient client = new PeerClient(LONG, LONG);
  private final List<Batch> batches = someBatches();
  private final byte[] segment = SegmentFiles.storeSegment(batches);
  private @Nullable ServedStore store;

  private static List<Batch> someBatches() {
    var records = new Records(11);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      batches.add(records.batch(i % 3 == 0 ? new Topic("other") : Topic.DEFAULT, 30));
    }
    return SegmentFiles.sorted(batches);
  }

  @AfterEach
  void closeAll() throws IOException {
    client.close();
    if (store != null) {
      store.close();
    }
  }

  private ServedStore start(Setup setup) throws IOException {
    var started = new ServedStore("receiver", setup, List::of);
    store = started;
    return started;
  }

  private ServedStore start() throws IOException {
    return start(Setup.at(folder));
  }

  /** What the store answers: its status and its words. */
  private String post(ServedStore to, String query, byte[] body) throws IOException {
    URI uri = to.uri().resolve("/store/replicate" + query);
    try (PeerResponse response =
        client.post(uri, List.of(body).iterator(), body.length, () -> true, LONG)) {
      return response.status()
          + " "
          + new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String post(ServedStore to, byte[] body) throws IOException {
    return post(to, "?node=sender", body);
  }

  private static void assertNothingKept(ServedStore of, String reason) {
    await().until(() -> of.count("replicas.refused", "reason", reason) == 1);
    await().until(() -> of.files(".active").isEmpty());
    assertThat(of.files(".flushed")).isEmpty();
    assertThat(of.stored()).isEmpty();
    assertThat(of.count("replicas.received")).isZero();
  }

  @Test
  void replicaIsStoredByteForByteAndShown() throws IOException {
    ServedStore to = start();

    assertThat(post(to, segment)).matches("200 stored \\S+\\.flushed\n");

    assertThat(to.stored()).isEqualTo(batches);
    assertThat(to.files(".flushed"))
        .singleElement()
        .satisfies(file -> assertThat(file).hasBinaryContent(segment));
    assertThat(to.count("replicas.received")).isEqualTo(1);
    assertThat(to.count("replicas.received.bytes")).isEqualTo(segment.length);
  }

  @Test
  void replicaThatIsSentTwiceIsReadOnceAndOnceCompactedStoredOnce() throws IOException {
    ServedStore to = start();

    assertThat(post(to, segment)).startsWith("200 ");
    assertThat(post(to, segment)).startsWith("200 ");

    assertThat(to.stored()).isEqualTo(batches);
    await().untilAsserted(() -> assertThat(to.files(".flushed")).hasSize(1));
    assertThat(to.stored()).isEqualTo(batches);
  }

  @Test
  void replicaThatEndsTooEarlyIsRefused() throws IOException {
    ServedStore to = start();

    assertThat(post(to, Arrays.copyOf(segment, segment.length / 2)))
        .startsWith("400 error: body: at byte ")
        .contains("expected a segment's footer");

    assertNothingKept(to, "damaged");
  }

  @Test
  void replicaOfAWrongByteAnywhereIsRefused() throws IOException {
    ServedStore to = start();
    int refused = 0;
    for (int at = 0; at < segment.length; at += 1 + segment.length / 50) {
      byte[] damaged = segment.clone();
      damaged[at] ^= 0x10;
      assertThat(post(to, damaged)).as("byte %d", at).matches("400 error: body: at byte .*\n");
      refused++;
    }

    assertThat(to.count("replicas.refused", "reason", "damaged")).isEqualTo(refused);
    assertThat(to.files(".active")).isEmpty();
    assertThat(to.stored()).isEmpty();
  }

  @Test
  void replicaOfAnotherVersionIsRefused() throws IOException {
    ServedStore to = start();
    byte[] other = segment.clone();
    other[7] = 4;

    assertThat(post(to, other))
        .startsWith(
            "400 error: body: at byte 0: expected a store segment's magic FD435753 and version ")
        .contains("found FD435753 00000004");

    assertNothingKept(to, "damaged");
  }

  @Test
  void emptyBodyIsRefused() throws IOException {
    ServedStore to = start();

    assertThat(post(to, new byte[0]))
        .isEqualTo(
            "400 error: body: at byte 0: expected a store segment of at least 112 bytes, found"
                + " 0\n");

    assertNothingKept(to, "damaged");
  }

  @Test
  void replicaOfANodeWithTheSameIdentityIsRefused() throws IOException {
    ServedStore to = start();

    assertThat(post(to, "?node=receiver", segment))
        .isEqualTo(
            "409 error: node receiver: expected another store's identity, found this one's own\n");

    assertNothingKept(to, "same-node");
  }

  @Test
  void replicaThatIsMeantForAnotherStoreIsRefused() throws IOException {
    ServedStore to = start();

    assertThat(post(to, "?node=sender&to_node=other", segment))
        .isEqualTo("421 error: expected a request for node receiver, found one for other\n");
    assertNothingKept(to, "other-node");

    assertThat(post(to, "?node=sender&to_node=receiver", segment)).startsWith("200 ");
  }

  @Test
  void replicaOfNobodyIsRefused() throws IOException {
    ServedStore to = start();

    assertThat(post(to, "", segment))
        .isEqualTo("400 error: parameter node: expected, found none\n");
    assertThat(to.stored()).isEmpty();
  }

  @Test
  void connectionThatBreaksInTheMiddleLeavesNothing() throws IOException {
    ServedStore to = start();
    try (Socket socket = begin(to, segment.length, segment.length / 2)) {
      await().until(() -> to.files(".active").size() == 1);
      assertThat(socket.isConnected()).isTrue();
    }

    assertNothingKept(to, "cut");
  }

  @Test
  void senderThatStopsInTheMiddleIsGivenUp() throws IOException {
    ServedStore to = start(Setup.at(folder).withIdle(Duration.ofSeconds(2)));
    try (Socket socket = begin(to, segment.length, segment.length / 2)) {
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

      assertThat(answer).startsWith("HTTP/1.1 408 ").contains("received nothing for 2 s");
    }

    assertNothingKept(to, "stalled");
  }

  @Test
  void replicaThatIsTooLongIsRefusedBeforeItsFirstByte() throws IOException {
    ServedStore to = start();
    try (Socket socket = begin(to, ReplicaRoutes.MAX_BYTES + 1, 0)) {
      assertThat(firstLine(socket)).startsWith("HTTP/1.1 413 ");
    }

    assertNothingKept(to, "too-long");
  }

  @Test
  void replicaOfUnknownLengthIsRefused() throws IOException {
    ServedStore to = start();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.port())) {
      write(
          socket,
          """
          POST /store/replicate?node=sender HTTP/1.1
          host: x
          transfer-encoding: chunked

          4
          abcd
          0

          """
              .replace("\n", "\r\n"));

      assertThat(firstLine(socket)).startsWith("HTTP/1.1 411 ");
    }

    assertNothingKept(to, "no-length");
  }

  @Test
  void fullDiskIsSaid() throws IOException {
    var disk = new FaultyFilesystem(new FaultAt());
    disk.sayUsable(70L << 20);
    ServedStore to = start(new Setup(Setup.at(folder).options(), disk, List::of));
    try (Socket socket = begin(to, 8L << 20, 0)) {
      assertThat(firstLine(socket)).startsWith("HTTP/1.1 507 ");
    }

    assertNothingKept(to, "disk-full");
  }

  @Test
  void diskThatFailsAtAnyStepLeavesNothingAndTheNextReplicaIsStored() throws IOException {
    var fault = new FaultAt();
    ServedStore to =
        start(new Setup(Setup.at(folder).options(), new FaultyFilesystem(fault), List::of));
    int step = 0;
    do {
      fault.failAt(step++, false);
      String answer = post(to, segment);
      if (fault.hasFailed()) {
        assertThat(answer).as("step %d", step).startsWith("500 error: the disk fails: ");
        assertThat(to.stored()).as("step %d", step).isEmpty();
      }
    } while (fault.hasFailed());

    assertThat(step).isGreaterThan(5);
    assertThat(to.stored()).isEqualTo(batches);
    assertThat(to.count("replicas.refused", "reason", "disk-error")).isEqualTo(step - 1);
  }

  @Test
  void storeThatStopsRefusesAndKeepsNothing() throws IOException, InterruptedException {
    ServedStore to = start();
    try (Socket socket = begin(to, segment.length, segment.length / 2)) {
      await().until(() -> to.files(".active").size() == 1);
      Thread rest = Thread.ofVirtual().start(() -> sendRest(to, socket));
      to.node.close();

      assertThat(firstLine(socket)).startsWith("HTTP/1.1 503 ");
      assertThat(post(to, segment)).isEqualTo("503 error: this store is stopping\n");
      assertThat(rest.join(LONG)).isTrue();
    }
    assertThat(to.files(".flushed")).isEmpty();
    assertThat(to.files(".active")).isEmpty();
  }

  private void sendRest(ServedStore to, Socket socket) {
    try {
      await().until(() -> post(to, new byte[0]).startsWith("503 "));
      socket
          .getOutputStream()
          .write(segment, segment.length / 2, segment.length - segment.length / 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void noMoreThanSoManyAreReceivedAtOnce() throws IOException {
    ServedStore to = start();
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < ReplicaRoutes.MAX_AT_ONCE; i++) {
        sockets.add(begin(to, segment.length, 100));
      }
      await().until(() -> to.files(".active").size() == ReplicaRoutes.MAX_AT_ONCE);

      assertThat(post(to, segment)).startsWith("503 error: 16 replicas are being received");
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    await().until(() -> post(to, segment).startsWith("200 "));
  }

  /** Sends the head of a request and so many bytes of its body. */
  private Socket begin(ServedStore to, long announced, int sent) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), to.port());
    write(
        socket,
        "POST /store/replicate?node=sender HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
            + "content-length: "
            + announced
            + "\r\n\r\n");
    OutputStream out = socket.getOutputStream();
    out.write(segment, 0, sent);
    out.flush();
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  private static String firstLine(Socket socket) throws IOException {
    var line = new StringBuilder();
    for (int c = socket.getInputStream().read(); c > '\r'; c = socket.getInputStream().read()) {
      line.append((char) c);
    }
    return line.toString();
  }
}
