package io.cordwood.ingest.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;

/** Uploads over TCP to a node. */
abstract class BulkFixture {
  static final int MIB = 1 << 20;
  @TempDir Path folder;

  static IngestOptions.Bulk bulk(
      long maxBytes, int maxUploads, Duration longestWait, Duration within) {
    return new IngestOptions.Bulk(0, maxBytes, maxUploads, longestWait, 1 << 10, within);
  }

  RunningNode node(IngestOptions.Bulk bulk) throws IOException {
    return new RunningNode(RunningNode.options(folder).with(bulk));
  }

  static Socket connect(RunningNode node) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), node.node.bulkPort());
    socket.setSoTimeout((int) RunningNode.PATIENCE.toMillis());
    return socket;
  }

  static CompletableFuture<String> upload(RunningNode node, byte[] bytes) {
    var answer = new CompletableFuture<String>();
    Thread.ofVirtual()
        .start(() -> {
          try (Socket socket = connect(node)) {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            answer.complete(answer(socket));
          } catch (IOException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  static CompletableFuture<String> upload(RunningNode node, String text) {
    return upload(node, text.getBytes(StandardCharsets.UTF_8));
  }

  static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  static byte[] batches(int count, Ulid first) {
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      all.writeBytes(Records.wire(Records.lines(first.plus(i), "record " + i)));
    }
    return all.toByteArray();
  }

  /** Uploads that have begun and not ended. */
  static double opened(RunningNode node) {
    return node.registry.get("cordwood_ingest_uploads_open").gauge().value();
  }

  static Ulid now() {
    return new UlidStamper(InstantSource.system()).stamp(1);
  }

  static void awaitRefusal(RunningNode node, String reason) throws IOException {
    await().until(() -> node.counted("uploads", "outcome", reason) == 1);
    assertThat(node.log().claims().waiting()).isZero();
    assertThat(node.files()).noneMatch(name -> name.contains(".uploading"));
    node.assertLedgerIsExact();
  }
}
