package io.cordwood.ingest.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.HttpNodeFixture;
import io.cordwood.ingest.node.RunningNode;
import io.cordwood.ingest.segment.PendingSegment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads over HTTP, and what their senders are told. */
class BulkHttpTest extends HttpNodeFixture {
  private static final int MAX_BYTES = 1 << 20;

  @Override
  protected HttpNode start(IngestOptions options) throws IOException {
    return new HttpNode(
        options.with(
            new IngestOptions.Bulk(
                0, MAX_BYTES, 4, Duration.ofSeconds(20), 1, Duration.ofSeconds(20))));
  }

  @Test
  void answerComesWithTheCommitAndNamesTheSegment() throws Exception {
    var answer = http.postAsync("bulk?topic=app", "one\ntwo\n");
    PendingSegment claimed = http.node.claim(RunningNode.PATIENCE).orElseThrow();
    assertThat(answer).isNotDone();
    http.node.log().claims().commit(claimed.id());
    assertThat(answer.get().statusCode()).isEqualTo(200);
    assertThat(answer.get().body())
        .isEqualTo("committed segment=" + claimed.id() + " records=2 bytes=8\n");
  }

  @Test
  void topicComesFromTheParameterOrFromThePreamble() throws Exception {
    var named = http.postAsync("bulk?topic=app", "one\n");
    List<Batch> batches = http.node.consume(1);
    var preamble = http.postAsync("bulk", "CORDWOOD/1 topic=other\ntwo\n");
    batches.addAll(http.node.consume(1));
    assertThat(batches).extracting(batch -> batch.topic().name()).containsExactly("app", "other");
    assertThat(named.get().statusCode() + preamble.get().statusCode()).isEqualTo(400);
    assertThat(http.postAsync("bulk?topic=..%2Fx", "no\n").get().statusCode()).isEqualTo(400);
  }

  @Test
  void lateSegmentIsNoSuccessAndCanBeWaitedFor() throws Exception {
    var late = http.postAsync("bulk?wait=50ms", "kept\n").get();
    assertThat(late.statusCode()).isEqualTo(504);
    assertThat(late.body()).contains("not on the stores within 50ms").contains("is kept");
    String location = late.headers().firstValue("location").orElseThrow();
    String again = location.substring("/ingest/".length());
    assertThat(late.body()).contains(location);
    assertThat(http.get(again + "&wait=50ms").statusCode()).isEqualTo(504);
    http.node.consume(1);
    assertThat(http.get(again + "&wait=20s").body()).startsWith("committed segment=");
    assertThat(http.get(again).statusCode()).isEqualTo(200);
    assertThat(http.node.counted("uploads_late")).isEqualTo(2);
  }

  @Test
  void unknownSegmentIsNotFound() throws Exception {
    assertThat(http.get("bulk?id=01JD000000000000000000000X").statusCode()).isEqualTo(404);
    assertThat(http.get("bulk?id=x").statusCode()).isEqualTo(400);
    assertThat(http.get("bulk").statusCode()).isEqualTo(400);
  }

  @Test
  void parametersThatAreMisspeltOrGivenTwiceAreRefusedAndNothingIsKept() throws Exception {
    var misspelt = http.postAsync("bulk?tpoic=app", "one\n").get();
    assertThat(misspelt.statusCode()).isEqualTo(400);
    assertThat(misspelt.body())
        .isEqualTo(
            "error: parameter tpoic: /ingest/bulk has none; did you mean topic?"
                + " It has topic, wait, label.NAME\n");
    assertThat(http.postAsync("bulk?topic=a&topic=b", "one\n").get().body())
        .isEqualTo("error: parameter topic: expected one value, found 2\n");
    assertThat(http.get("bulk?id=01JD000000000000000000000X&topic=a").body())
        .isEqualTo("error: parameter topic: /ingest/bulk has none; it has id, wait\n");
    assertThat(uploading()).isEmpty();
  }

  @Test
  void whatIsPackedIsRefusedAndNulsEndLines() throws Exception {
    byte[] zstd = HexFormat.of().parseHex("28b52ffd0458");
    var packed = http.postAsync("bulk?topic=app", BodyPublishers.ofByteArray(zstd));
    assertThat(packed.get().statusCode()).isEqualTo(400);
    assertThat(packed.get().body()).contains("found zstd");
    byte[] preamble = "CORDWOOD/1 topic=app\n".getBytes(StandardCharsets.US_ASCII);
    byte[] named = Arrays.copyOf(preamble, preamble.length + zstd.length);
    System.arraycopy(zstd, 0, named, preamble.length, zstd.length);
    var afterPreamble = http.postAsync("bulk", BodyPublishers.ofByteArray(named));
    assertThat(afterPreamble.get().body()).contains("found zstd");
    var utf16 =
        http.postAsync(
            "bulk?topic=app", BodyPublishers.ofString("an ERROR\n", StandardCharsets.UTF_16));
    assertThat(utf16.get().statusCode()).isEqualTo(400);
    assertThat(utf16.get().body()).contains("expected lines in UTF-8, found UTF-16");
    var _ = http.postAsync("bulk?topic=app", "one\0two\0");
    assertThat(RunningNode.text(http.node.consume(2))).isEqualTo("one\ntwo\n");
  }

  @Test
  void tooLargeAnUploadIsRefused() throws Exception {
    byte[] body = new byte[MAX_BYTES + 1];
    var stream = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    assertThat(http.postAsync("bulk", stream).get().statusCode()).isEqualTo(413);
    assertThat(http.node.counted("uploads", "outcome", "too_large")).isOne();
    assertThat(uploading()).isEmpty();
    http.node.assertLedgerIsExact();
  }

  @ParameterizedTest
  @CsvSource({
    "content-encoding: gzip,                         'expected none, found \"gzip\"'",
    "content-type: multipart/form-data; boundary=x,  --data-binary @FILE"
  })
  void bodyThatIsNotRecordsIsRefused(String header, String why) throws Exception {
    try (Socket socket = http.connect()) {
      String head = "POST /ingest/bulk HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
      write(socket, head + header + "\r\n");
      write(socket, "content-length: 5\r\n\r\nabcd\n");
      assertThat(answer(socket)).startsWith("HTTP/1.1 415").contains(why);
    }
    http.node.assertLedgerIsExact();
  }

  /** More than a gibibyte is announced; none of it is asked for, and none is read. */
  @Test
  void bodyThatWillBeTooLongIsRefusedBeforeItComes() throws Exception {
    try (Socket socket = http.connect()) {
      write(socket, "POST /ingest/bulk HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n");
      write(socket, "content-length: 1073741825\r\n\r\n");
      assertThat(answer(socket))
          .startsWith("HTTP/1.1 413")
          .contains("an upload of at most 1048576 bytes, found one of 1073741825");
    }
    assertThat(http.node.counted("uploads", "outcome", "too_large")).isOne();
    http.node.assertLedgerIsExact();
  }

  @Test
  void bodyThatDribblesIsEnded() throws Exception {
    http.close();
    http =
        new HttpNode(
            RunningNode.options(folder)
                .with(
                    new IngestOptions.Bulk(
                        0,
                        MAX_BYTES,
                        4,
                        Duration.ofSeconds(20),
                        MAX_BYTES,
                        Duration.ofMillis(50))));
    try (Socket socket = http.connect()) {
      write(socket, "POST /ingest/bulk HTTP/1.1\r\nhost: x\r\ncontent-length: 1048576\r\n\r\n");
      while (socket.getInputStream().available() == 0) {
        write(socket, "x");
        Thread.onSpinWait();
      }
      assertThat(answer(socket))
          .startsWith("HTTP/1.1 408")
          .contains("or 1048576 bytes within 50 ms");
    }
    http.node.assertLedgerIsExact();
  }

  /** All that comes until what was answered is closed. */
  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(strings = {"content-length: 1000", "transfer-encoding: chunked"})
  void uploadThatIsCutLeavesNothing(String framing) throws Exception {
    try (Socket socket = http.connect()) {
      String request =
          "POST /ingest/bulk HTTP/1.1\r\nhost: x\r\n" + framing + "\r\n\r\n20\r\nabcdef\nabcdef\n";
      write(socket, request);
      await()
          .until(() -> http.node.registry.get("cordwood_ingest_uploads_open").gauge().value() == 1);
    }
    await().until(() -> http.node.counted("uploads", "outcome", "cut") == 1);
    assertThat(http.node.log().claims().waiting()).isZero();
    assertThat(uploading()).isEmpty();
    http.node.assertLedgerIsExact();
  }

  private List<String> uploading() throws IOException {
    return http.node.files().stream().filter(name -> name.endsWith(".uploading")).toList();
  }
}
