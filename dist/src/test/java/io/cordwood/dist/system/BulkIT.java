package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads to real nodes: acknowledged when a store has them, and not before. */
final class BulkIT {
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
