package io.cordwood.ingest.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.Zstd;
import io.cordwood.common.segment.Batch;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.HttpNodeFixture;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines over HTTP, and what their senders are told. */
class PushTest extends HttpNodeFixture {
  private static final int MAX_BYTES = 4 << 20;
  private static final String LINES = "one\ntwo\n";

  @Override
  protected HttpNode start(IngestOptions options) throws IOException {
    return new HttpNode(
        options.with(
            new IngestOptions.Bulk(
                0, MAX_BYTES, 4, Duration.ofSeconds(20), 1, Duration.ofSeconds(20))));
  }

  private HttpResponse<String> push(String parameters, byte[] body, String... headers)
      throws Exception {
    return http.post("/ingest" + parameters, body, headers);
  }

  private HttpResponse<String> push(String parameters, String body) throws Exception {
    return push(parameters, body.getBytes(StandardCharsets.UTF_8));
  }

  private void assertNothingStored() {
    http.node.assertLedgerIsExact();
    assertThat(http.node.counted("records_stored")).isZero();
    assertThat(http.node.log().claims().waiting()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?durability=durable", "?durability=fast"})
  void eachLineIsARecordAndTheAnswerCountsThem(String parameters) throws Exception {
    HttpResponse<String> answer = push(parameters, "one\n\ntwo\r\n\r\nthree");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("stored records=3 bytes=17\n");
    assertThat(RunningNode.text(http.node.consume(3))).isEqualTo("one\ntwo\r\nthree\n");
    assertThat(http.node.counted("blank_lines_ignored")).isEqualTo(2);
    assertThat(http.node.counted("requests", "protocol", "lines", "outcome", "stored"))
        .isEqualTo(1);
    http.node.assertLedgerIsExact();
  }

  @Test
  void bulkIsAnsweredByItsCommit() throws Exception {
    var answer = http.postAsync("/ingest?durability=bulk&topic=app", LINES);
    assertThat(http.node.consume(2)).extracting(it -> it.topic().name()).containsExactly("app");
    assertThat(answer.get().body()).startsWith("committed segment=").endsWith(" bytes=8\n");
  }

  @Test
  void theTopicIsAParameterAndTheContentTypeMeansNothing() throws Exception {
    for (String type : List.of("application/x-www-form-urlencoded", "application/json", "x")) {
      byte[] body = "a=1&b=2\n".getBytes(StandardCharsets.UTF_8);
      assertThat(push("?topic=app", body, "content-type", type).statusCode()).isEqualTo(200);
    }
    List<Batch> batches = http.node.consume(3);
    assertThat(batches).extracting(it -> it.topic().name()).containsOnly("app");
    assertThat(RunningNode.text(batches)).isEqualTo("a=1&b=2\n".repeat(3));
    assertThat(push("", "").body()).isEqualTo("stored records=0 bytes=0\n");
  }

  @Test
  void labelsAreParameters() throws Exception {
    assertThat(push("?label.pod=web-1&label.env=a%20b", LINES).statusCode()).isEqualTo(200);
    assertThat(http.node.consume(2).getFirst().labels().pairs())
        .isEqualTo(Map.of("pod", "web-1", "env", "a b"));
    HttpResponse<String> twice = push("?label.pod=a&label.pod=b", LINES);
    assertThat(twice.statusCode()).isEqualTo(400);
    assertThat(twice.body()).contains("parameters label.NAME:");
  }

  @ParameterizedTest
  @CsvSource({
    "?durability=fast, X-Scope-OrgID",
    "?durability=durable, AccountID",
    "?durability=bulk, ProjectID"
  })
  void aTenantIsRefusedSinceThereIsNone(String parameters, String header) throws Exception {
    byte[] body = LINES.getBytes(StandardCharsets.UTF_8);
    HttpResponse<String> answer = push(parameters, body, header, "team");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(header.toLowerCase(Locale.ROOT) + ": expected none");
    assertNothingStored();
    assertThat(push("", body, header, "0").statusCode()).isEqualTo(200);
  }

  private static byte[] packed(String coding) throws IOException {
    byte[] body = LINES.getBytes(StandardCharsets.UTF_8);
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (coding) {
          case "gzip", "x-gzip" -> new GZIPOutputStream(bytes);
          case "deflate" -> new DeflaterOutputStream(bytes);
          default -> new DeflaterOutputStream(bytes, new Deflater(6, true));
        }) {
      out.write(body);
    }
    return coding.equals("zstd") ? Zstd.compress(body) : bytes.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({
    "gzip,gzip",
    "x-gzip,gzip",
    "deflate,deflate",
    "raw,deflate",
    "zstd,zstd",
    "gzip,'gzip,deflate'",
    "deflate,'gzip,deflate'",
    "deflate,'gzip, deflate'"
  })
  void whatIsPackedIsUnpacked(String coding, String header) throws Exception {
    HttpResponse<String> answer = push("", packed(coding), "content-encoding", header);
    assertThat(answer.body()).isEqualTo("stored records=2 bytes=8\n");
    assertThat(RunningNode.text(http.node.consume(2))).isEqualTo(LINES);
    http.node.assertLedgerIsExact();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "zstd"})
  void aPackedBodyThatIsDamagedOrCutIsRefusedAsAWhole(String coding) throws Exception {
    byte[] whole = packed(coding);
    for (int bytes = 1; bytes < whole.length; bytes++) {
      byte[] cut = Arrays.copyOf(whole, bytes);
      HttpResponse<String> answer = push("", cut, "content-encoding", coding);
      assertThat(answer.statusCode()).as("%s cut after %d", coding, bytes).isEqualTo(400);
      assertThat(answer.body()).contains("expected " + coding);
    }
    assertThat(push("", LINES.getBytes(StandardCharsets.UTF_8), "content-encoding", coding))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(400);
    assertNothingStored();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ?durability=safe | x                    | 400 | expected fast, durable or bulk
          ?topic=..%2Fx    | x                    | 400 | parameter topic:
          ?tpoic=x         | x                    | 400 | did you mean topic?
          ''               | CORDWOOD/1 topic=app | 400 | found a preamble
          """)
  void whatIsNotAsItMustBeIsRefusedInWords(String parameters, String body, int status, String words)
      throws Exception {
    HttpResponse<String> answer = push(parameters, body + "\n");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body()).contains(words);
    assertNothingStored();
  }

  @Test
  void anUnknownPackingAndATooLongBodyAreRefused() throws Exception {
    assertThat(push("", new byte[10], "content-encoding", "br").statusCode()).isEqualTo(415);
    assertThat(push("", packed("gzip")).body()).contains("found gzip");
    assertThat(push("", new byte[MAX_BYTES + 1]).statusCode()).isEqualTo(413);
    byte[] bomb = Zstd.compress(new byte[MAX_BYTES + 1]);
    HttpResponse<String> answer = push("", bomb, "content-encoding", "zstd");
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("expected at most " + MAX_BYTES + " bytes, unpacked");
    http.node.assertLedgerIsExact();
  }

  @Test
  void linesOfAnyLengthArriveAsTheyAre() throws Exception {
    var random = new Random(7);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int length = 1 + (i % 10 == 0 ? random.nextInt(200_000) : random.nextInt(300));
      lines.add(i + "x".repeat(length));
    }
    String body = String.join("\n", lines);
    assertThat(push("", body).body()).isEqualTo("stored records=60 bytes=" + body.length() + "\n");
    assertThat(RunningNode.text(http.node.consume(60))).isEqualTo(body + "\n");
    http.node.assertLedgerIsExact();
  }

  @Test
  void aLineOfMoreThanARecordBecomesSeveral() throws Exception {
    int mebibyte = 1 << 20;
    String body = "y".repeat(2 * mebibyte + 5) + "\nend\n";
    assertThat(push("", body).body()).isEqualTo("stored records=4 bytes=" + body.length() + "\n");
    assertThat(RunningNode.text(http.node.consume(4)).lines().map(String::length))
        .containsExactly(mebibyte, mebibyte, 5, 3);
    assertThat(http.node.counted("lines_split")).isEqualTo(1);
    http.node.assertLedgerIsExact();
  }

  @Test
  void requestsThatComeTogetherAreStoredOnceEach() throws Exception {
    int requests = 300;
    var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 0; i < requests; i++) {
      String mode = i % 2 == 0 ? "fast" : "durable";
      answers.add(
          http.postAsync("/ingest?durability=" + mode + "&label.n=" + i % 7, "a" + i + "\nb" + i));
    }
    for (var answer : answers) {
      assertThat(answer.get().body()).startsWith("stored records=2 ");
    }
    assertThat(RunningNode.text(http.node.consume(2L * requests)).lines())
        .hasSize(2 * requests)
        .doesNotHaveDuplicates();
    http.node.assertLedgerIsExact();
  }

  @Test
  void aBodyThatIsCutOffIsNotStored() throws Exception {
    try (Socket socket = http.connect()) {
      socket
          .getOutputStream()
          .write(
              "POST /ingest HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\none\ntwo\n"
                  .getBytes(StandardCharsets.US_ASCII));
    }
    await().until(() -> http.node.counted("requests", "outcome", "refused") == 1);
    assertNothingStored();
  }
}
