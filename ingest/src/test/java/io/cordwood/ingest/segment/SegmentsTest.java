package io.cordwood.ingest.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FolderInUseException;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments are flushed in time, claimed in order, leased, committed once, and served over HTTP. */
class SegmentsTest {
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir Path folder;

  private IngestOptions flushing(long bytes, Duration age, Duration afterClose) {
    return RunningNode.options(folder).with(new IngestOptions.Flushing(bytes, age, afterClose, 64));
  }

  private static PendingSegment claim(RunningNode node) throws IOException {
    return node.claim(RunningNode.PATIENCE).orElseThrow();
  }

  @Test
  void flushedByAgeWhileTheConnectionIsOpen() throws IOException {
    try (var node = new RunningNode(flushing(1 << 30, Duration.ofMillis(50), LONG));
        Socket socket = node.connect()) {
      socket.getOutputStream().write("x\n".getBytes(StandardCharsets.UTF_8));
      assertThat(claim(node).bytes()).isPositive();
    }
  }

  @Test
  void flushedBySizeWhileTheConnectionIsOpen() throws IOException {
    try (var node = new RunningNode(flushing(1 << 20, LONG, LONG));
        Socket socket = node.connect()) {
      socket.getOutputStream().write("x\n".repeat(1 << 19).getBytes(StandardCharsets.UTF_8));
      assertThat(claim(node).bytes()).isBetween(1L << 20, 2L << 20);
    }
  }

  @Test
  void flushedSoonAfterTheConnectionEnded() throws IOException {
    try (var node = new RunningNode(flushing(1 << 30, LONG, Duration.ofMillis(5)))) {
      node.send("x\n");
      assertThat(claim(node).bytes()).isPositive();
    }
  }

  @Test
  void flushedWhenTheNodeCloses() throws IOException {
    // Resources are closed last to first: the node, while the connection is open.
    try (var sender = new Socket();
        var node = new RunningNode(flushing(1 << 30, LONG, LONG))) {
      sender.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.node.fastPort()));
      sender.getOutputStream().write("open\nand unfinished".getBytes(StandardCharsets.UTF_8));
      await().until(() -> node.counted("bytes_read") == 19);
    }
    try (var next = RunningNode.in(folder)) {
      assertThat(RunningNode.text(next.consume(2))).isEqualTo("open\nand unfinished\n");
    }
  }

  @Test
  void oldestIsClaimedFirstAndOneGivenBackLast() throws Exception {
    try (var node = RunningNode.in(folder)) {
      for (int i = 0; i < 3; i++) {
        node.send("segment " + i + "\n");
        int flushed = i + 1;
        await().until(() -> node.log().claims().waiting() == flushed);
      }
      PendingSegment first = claim(node);
      node.log().claims().fail(first.id());
      PendingSegment second = claim(node);
      PendingSegment third = claim(node);
      assertThat(claim(node).id()).isEqualTo(first.id());
      assertThat(second.id()).isGreaterThan(first.id());
      assertThat(third.id()).isGreaterThan(second.id());
      assertThat(node.counted("segments_failed")).isEqualTo(1);
    }
  }

  @Test
  void oneThatIsClaimedAndGivenBackIsHeldAllTheTime() throws Exception {
    try (var node = RunningNode.in(folder)) {
      node.send("x\n");
      await().until(() -> node.log().claims().waiting() == 1);
      var over = new AtomicBoolean();
      var looking =
          CompletableFuture.supplyAsync(() -> {
            int fewest = node.log().claims().held();
            while (!over.get()) {
              fewest = Math.min(fewest, node.log().claims().held());
            }
            return fewest;
          });
      for (int i = 0; i < 300; i++) {
        node.log().claims().fail(claim(node).id());
      }
      over.set(true);
      assertThat(looking.get()).isEqualTo(1);
    }
  }

  @Test
  void committedIsGoneAndASecondCommitIsRefused() throws Exception {
    try (var node = RunningNode.in(folder)) {
      node.send("x\n");
      PendingSegment segment = claim(node);
      node.log().claims().commit(segment.id());
      assertThat(node.files()).isEmpty();
      assertThatThrownBy(() -> node.log().claims().commit(segment.id()))
          .isInstanceOf(SegmentRefusedException.class)
          .hasMessageContaining("unknown");
    }
  }

  @Test
  void restartServesWhatWasFlushedAndWhatWasClaimed() throws IOException {
    try (var node = RunningNode.in(folder)) {
      node.send("one\n");
      claim(node);
      node.send("two\n");
    }
    try (var node = RunningNode.in(folder)) {
      assertThat(RunningNode.text(node.consume(2))).isEqualTo("one\ntwo\n");
    }
  }

  @Test
  void folderInUseIsRefused() throws IOException {
    try (var _ = RunningNode.in(folder)) {
      assertThatThrownBy(() -> RunningNode.in(folder))
          .isInstanceOf(FolderInUseException.class)
          .hasMessageContaining(folder.toString());
    }
  }

  @Test
  void portInUseNamesTheFlagAndFreesTheFolder() throws IOException {
    try (var node = RunningNode.in(folder.resolve("a"))) {
      var options =
          RunningNode.options(folder.resolve("b"))
              .with(new IngestOptions.Listening("127.0.0.1", node.node.fastPort(), 0, 1));
      assertThatThrownBy(() -> new RunningNode(options))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("--fast-port")
          .hasMessageContaining(String.valueOf(node.node.fastPort()));
      RunningNode.in(folder.resolve("b")).close();
    }
  }

  @Test
  void storesPullOverHttp() throws Exception {
    var routes = new Routes();
    try (var node = RunningNode.in(folder);
        var http = HttpClient.newHttpClient();
        var server =
            HttpServer.start(
                HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry())) {
      node.node.addRoutes(routes);
      String base = "http://127.0.0.1:" + server.port() + "/ingest/";
      assertThat(call(http, "POST", base + "claim").statusCode()).isEqualTo(204);
      var waiting =
          http.sendAsync(
              request("POST", base + "claim?wait=20s"), HttpResponse.BodyHandlers.ofString());
      node.send("over http\n");
      String[] claimed = waiting.get().body().strip().split(" ", 2);
      String id = "id=" + claimed[0];
      var read = call(http, "GET", base + "read?" + id);
      assertThat(read.body()).contains("over http\n");
      assertThat(read.body().length()).isEqualTo(Integer.parseInt(claimed[1]));
      assertThat(call(http, "POST", base + "fail?" + id).statusCode()).isEqualTo(200);
      assertThat(call(http, "GET", base + "read?" + id).statusCode()).isEqualTo(409);
      assertThat(call(http, "POST", base + "claim").statusCode()).isEqualTo(200);
      assertThat(call(http, "POST", base + "commit?" + id).statusCode()).isEqualTo(200);
      assertThat(call(http, "POST", base + "commit?" + id).statusCode()).isEqualTo(404);
      assertThat(call(http, "POST", base + "commit?id=..%2Fx").statusCode()).isEqualTo(400);
    }
  }

  private static HttpRequest request(String method, String uri) {
    return HttpRequest.newBuilder(URI.create(uri))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .build();
  }

  private static HttpResponse<String> call(HttpClient http, String method, String uri)
      throws Exception {
    return http.send(
        request(method, uri), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
  }
}
