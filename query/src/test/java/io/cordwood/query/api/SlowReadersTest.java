package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Readers who take next to nothing of large answers, which are much more than what sockets and
 * nodes hold of them.
 */
@TestInstance(Lifecycle.PER_CLASS) // All tests ask for the same 70 MB.
final class SlowReadersTest {
  private static final int READERS = 16;

  /**
   * Of some 100 kB each. One answer is more than the budget and the buffers of a socket hold, or it
   * could be over although nobody reads it.
   */
  private static final int RECORDS = 390;

  /**
   * Of the 70 MB of an answer to which no limit is set, what a node may send until it is left:
   * Linux holds up to 38 MB of them in two sockets.
   */
  private static final int LEFT_BYTES = 60_000_000;

  /** Of a node, for large pieces of answers that clients have not taken. */
  private static final int BUDGET_BYTES = 32 << 20;

  /** Of an answer, beyond the budget. */
  private static final int SMALL_BYTES = 24 << 10;

  private final SegmentFixture large = SegmentFixture.ofLargeRecords(700);
  private final List<Socket> readers = new ArrayList<>();
  private TestCluster cluster;
  private Node store;
  private Node copy;
  private Node asked;

  SlowReadersTest() throws IOException {}

  @BeforeEach
  void start() throws IOException {
    cluster = new TestCluster(2);
    store = cluster.store("store", large);
    copy = cluster.store("copy", large);
    asked = cluster.query("asked");
  }

  private static Ulid ulid(int record) {
    return Ulid.firstOf(1_700_000_000_000L + record);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket reader : readers) {
      reader.close();
    }
    readers.clear();
    cluster.close();
  }

  /** Asks, and reads the head of the answer. */
  private Socket ask(String path) throws IOException {
    var reader = new Socket();
    readers.add(reader);
    reader.setReceiveBufferSize(64 << 10);
    reader.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), asked.port()));
    String request = "GET " + path + " HTTP/1.0\r\n\r\n";
    reader.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) reader.getInputStream().read());
    }
    assertThat(head).startsWith("HTTP/1.1 200");
    return reader;
  }

  private static double gauge(Node node, String name) {
    return node.meters.get(name).gauge().value();
  }

  private static double sent(Node node) {
    return node.meters.get("cordwood.http.sent.bytes").counter().count();
  }

  /** No node sends anything any more. */
  private void awaitStandstill() {
    double[] before = {-1};
    await()
        .pollInterval(300, TimeUnit.MILLISECONDS)
        .until(() -> {
          double last = before[0];
          before[0] = cluster.nodes.stream().mapToDouble(SlowReadersTest::sent).sum();
          return last > 0 && before[0] == last;
        });
  }

  private byte[] text(int records) {
    var text = new ByteArrayOutputStream();
    large
        .records()
        .subList(0, records)
        .forEach(record -> {
          text.writeBytes(record.bytes());
          text.write('\n');
        });
    return text.toByteArray();
  }

  /** Piece by piece: sixteen such texts are a lot of garbage. */
  private static void assertReads(byte[] text, InputStream in) throws IOException {
    byte[] piece = new byte[64 << 10];
    int at = 0;
    int read;
    while ((read = in.read(piece)) >= 0) {
      assertThat(text.length - at).as("bytes left at %d", at).isGreaterThanOrEqualTo(read);
      assertThat(Arrays.equals(text, at, at + read, piece, 0, read)).as("at %d", at).isTrue();
      at += read;
    }
    assertThat(at).isEqualTo(text.length);
  }

  @Test
  void sixteenAnswersStandStillWithinTheBudgetWhileASmallOneIsGivenAndThenAllOfThemAreWhole()
      throws IOException {
    for (int i = 0; i < READERS; i++) {
      ask("/query?to=" + ulid(RECORDS - 1));
    }
    awaitStandstill();
    for (Node node : cluster.nodes) {
      await().until(() -> gauge(node, "cordwood.http.held.bytes") > 0);
      assertThat(gauge(node, "cordwood.http.held.bytes"))
          .as(node.id)
          .isLessThanOrEqualTo(BUDGET_BYTES + READERS * SMALL_BYTES);
    }
    Answer small = asked.get("/query?from=" + ulid(7) + "&limit=1&format=ulid");
    assertThat(small.body()).startsWith(ulid(7).toString().getBytes(StandardCharsets.US_ASCII));
    assertThat(small.field("matches")).isEqualTo("1");
    assertThat(gauge(asked, "cordwood.query.running")).isEqualTo(READERS);

    byte[] whole = text(RECORDS);
    for (Socket reader : readers) {
      assertReads(whole, reader.getInputStream());
    }
    await().until(() -> gauge(asked, "cordwood.query.running") == 0);
    await().until(() -> gauge(asked, "cordwood.http.held.bytes") == 0);
  }

  @Test
  void whoLeavesAnAnswerThatHeNeverReadEndsItOnAllNodesLongBeforeItsEnd() throws IOException {
    Socket reader = ask("/query");
    awaitStandstill();
    List<Node> peers = List.of(store, copy);
    for (Node peer : peers) {
      await().until(() -> gauge(peer, "cordwood.query.tier.running") == 1);
    }
    reader.close();
    for (Node peer : peers) {
      await().until(() -> gauge(peer, "cordwood.query.tier.running") == 0);
      assertThat(sent(peer)).as(peer.id).isLessThan(LEFT_BYTES);
      assertThat(peer.meters.get("cordwood.query.tier.abandoned").counter().count()).isEqualTo(1);
    }
    await().until(() -> gauge(asked, "cordwood.query.running") == 0);
    await().until(() -> gauge(asked, "cordwood.http.held.bytes") == 0);
  }
}
