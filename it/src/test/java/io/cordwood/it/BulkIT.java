package io.cordwood.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads to real nodes: acknowledged when a store has them, and not before. */
final class BulkIT {
  private static final int MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  @TempDir Path folder;

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  private static HttpRequest.Builder bulk(NodeProcess node, String query) {
    String uri = "http://127.0.0.1:" + node.apiPort() + "/ingest/bulk?" + query;
    return HttpRequest.newBuilder(URI.create(uri));
  }

  @Test
  void acknowledgedUploadIsFoundAtOnce() throws Exception {
    try (NodeProcess node = NodeProcess.start(folder);
        Sender sender = new Sender(node.port("bulk"))) {
      sender.send("CORDWOOD/1 topic=app\n" + "over tcp\n".repeat(50_000));
      assertThat(sender.end()).isEqualTo("ack 50000\n");
      assertThat(node.count("over tcp")).isEqualTo(50_000);
      var answer =
          send(bulk(node, "topic=web").POST(BodyPublishers.ofString("over http\n".repeat(70_000))));
      assertThat(answer.body()).contains(" records=70000 bytes=700000");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(node.count("over http")).isEqualTo(70_000);
    }
  }

  /** The one that is uploaded to is killed, and the other one, in use then, is ended in order. */
  @Test
  void forwardedUploadsAreThereOnceThoughNodesGoAndComeBack() throws Exception {
    Path home = folder.resolve("one");
    Path otherHome = folder.resolve("other");
    NodeProcess one = NodeProcess.start(home);
    NodeProcess other = NodeProcess.start(otherHome, peer(one));
    try (ForwardedLoad load = ForwardedLoad.startBulk("in bulk", one, other)) {
      NodeProcess first = one;
      NodeProcess second = other;
      await().until(() -> uploads(first) + uploads(second) > 0);
      boolean swap = uploads(second) > 0;
      NodeProcess used = swap ? other : one;
      NodeProcess unused = swap ? one : other;
      used.kill();
      await().until(() -> uploads(unused) > 0);
      NodeProcess back = startAgain(used, swap ? otherHome : home, unused);
      one = back;
      unused.stop();
      await().until(() -> uploads(back) > 0);
      other = startAgain(unused, swap ? home : otherHome, back);
      load.finish();
      other.awaitCount("in bulk ", load.written());
      load.assertFound(back);
    } finally {
      one.close();
      other.close();
    }
  }

  /** Uploads that a node has forced, be they committed or not. */
  private static double uploads(NodeProcess node) throws IOException {
    return node.metric("cordwood_ingest_uploads_total{outcome=\"flushed\"}");
  }

  private static String peer(NodeProcess node) {
    return "--peer=127.0.0.1:" + node.port("gossip");
  }

  private static NodeProcess startAgain(NodeProcess ended, Path home, NodeProcess peer)
      throws IOException {
    List<String> flags = new ArrayList<>(List.of(ended.samePorts()));
    flags.add(peer(peer));
    return NodeProcess.start(home, flags.toArray(String[]::new));
  }

  @Test
  void gibibyteIsRefusedByTheLimitAndHarmsNobody() throws Exception {
    try (NodeProcess node = NodeProcess.start(folder, "--bulk-max-size=16MiB");
        Sender durable = new Sender(node.durablePort())) {
      durable.send("before\n");
      assertThat(durable.answer()).isEqualTo("ack 1\n");
      assertThat(endless(node.bulkPort(), "", ""))
          .isEqualTo("error: expected an upload of at most 16777216 bytes, found more\n");
      durable.send("between\n");
      assertThat(durable.answer()).isEqualTo("ack 2\n");
      String head = "POST /ingest/bulk HTTP/1.1\r\nhost: x\r\n";
      assertThat(endless(node.apiPort(), head + "transfer-encoding: chunked\r\n\r\n", "100000\r\n"))
          .startsWith("HTTP/1.1 413 ")
          .contains("an upload of at most 16777216 bytes, found more");
      assertThat(endless(node.apiPort(), head + "content-length: " + GIB + "\r\n\r\n", ""))
          .startsWith("HTTP/1.1 413 ")
          .contains("an upload of at most 16777216 bytes, found one of 1073741824");
      durable.send("behind\n");
      assertThat(durable.answer()).isEqualTo("ack 3\n");
      assertThat(node.upload(("x".repeat(1023) + "\n").repeat(16 << 10))).isEqualTo("ack 16384\n");
      assertThat(node.count("")).isEqualTo(16384 + 3);
      assertThat(node.program().peakMemoryBytes()).isLessThan(512L * MIB);
    }
  }

  /** Sends a gibibyte, but no more than until there is an answer; the answer. */
  private static String endless(int port, String head, String chunkHead) throws Exception {
    byte[] piece =
        (chunkHead + "y".repeat(MIB) + (chunkHead.isEmpty() ? "" : "\r\n")).getBytes(UTF_8);
    try (Sender sender = new Sender(port)) {
      sender.send(head);
      var answer = CompletableFuture.supplyAsync(() -> rest(sender));
      long sent = 0;
      for (; sent < GIB && !answer.isDone(); sent += MIB) {
        sendOrLeave(sender, piece);
      }
      assertThat(sent).isLessThan(GIB);
      return answer.get();
    }
  }

  private static String rest(Sender sender) {
    try {
      return sender.rest();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void sendOrLeave(Sender sender, byte[] piece) {
    try {
      sender.send(piece);
    } catch (IOException e) {
      // The node has closed the connection: its answer is there.
    }
  }

  @Test
  void uploadWithoutAStoreIsKeptAndAcknowledgedOnceOneComes() throws Exception {
    try (NodeProcess ingest =
            NodeProcess.start("ingest", folder.resolve("a"), "--bulk-wait", "500ms");
        Sender sender = new Sender(ingest.port("bulk"))) {
      assertThat(sender.send("one\ntwo\n").end())
          .startsWith("error: not on the stores within 500ms; segment ");
      var late = send(bulk(ingest, "wait=100ms").POST(BodyPublishers.ofString("three\n")));
      assertThat(late.statusCode()).isEqualTo(504);
      String id = late.headers().firstValue("location").orElseThrow().replaceAll(".*\\?", "");
      try (NodeProcess store =
          NodeProcess.start(
              "store",
              folder.resolve("b"),
              "--replication-factor=1",
              "--peer=127.0.0.1:" + ingest.port("gossip"))) {
        var committed = send(bulk(ingest, id + "&wait=60s").GET());
        assertThat(committed.statusCode()).as(committed.body()).isEqualTo(200);
        assertThat(store.find("three")).containsExactly("three");
        store.awaitRecords(3);
      }
    }
  }
}
