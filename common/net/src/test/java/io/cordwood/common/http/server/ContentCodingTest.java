package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.cordwood.common.http.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Text is compressed for clients that take it so, over either version of HTTP. */
final class ContentCodingTest {
  private static final String TEXT = "a line that comes again and again\n".repeat(10_000);

  private final TestServer server = new TestServer();

  @AfterEach
  void closeServer() {
    server.close();
  }

  private void answer(String path, String type, String text) {
    server.routes.get(
        path,
        (_, response) -> {
          response.header("content-type", type);
          response.body().write(text.getBytes(StandardCharsets.UTF_8));
        });
  }

  private HttpResponse<byte[]> get(HttpClient.Version version, String path, String accepted)
      throws IOException, InterruptedException {
    URI uri = server.uri(path);
    try (HttpClient client = HttpClient.newBuilder().version(version).build()) {
      return client.send(
          HttpRequest.newBuilder(uri).header("accept-encoding", accepted).build(),
          HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private static String decoded(HttpResponse<byte[]> response) throws IOException {
    InputStream in = new ByteArrayInputStream(response.body());
    return switch (response.headers().firstValue("content-encoding").orElse("")) {
      case "gzip" -> text(new GZIPInputStream(in));
      case "zstd" -> text(new ZstdInputStreamNoFinalizer(in));
      default -> text(in);
    };
  }

  private static String text(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "gzip | gzip",
        "gzip, deflate, br, zstd | zstd",
        "ZSTD;q=0, GZip;q=0.5 | gzip",
        "zstd;q=0.0 | none",
        "identity | none",
        "br, * | none",
        "gzip2, x-zstd | none",
      })
  void theClientSaysHow(String accepted, String coding) throws Exception {
    answer("/text", "text/plain; charset=utf-8", TEXT);
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpResponse<byte[]> response = get(version, "/text", accepted);
      assertThat(response.headers().firstValue("content-encoding").orElse(null)).isEqualTo(coding);
      assertThat(response.headers().allValues("vary")).containsExactly("accept-encoding");
      assertThat(decoded(response)).isEqualTo(TEXT);
      assertThat(response.body().length < 20_000).isEqualTo(coding != null);
    }
  }

  @Test
  void onlyTextOfUnannouncedLengthIs() throws Exception {
    answer("/bytes", "application/octet-stream", TEXT);
    answer("/ndjson", "application/x-ndjson", TEXT);
    server.routes.get(
        "/length",
        (_, response) ->
            response.contentLength(1).header("content-type", "text/x").body().write(1));
    assertThat(get(HttpClient.Version.HTTP_1_1, "/bytes", "gzip").headers().map())
        .doesNotContainKey("content-encoding");
    assertThat(get(HttpClient.Version.HTTP_1_1, "/length", "gzip").body()).containsExactly(1);
    assertThat(get(HttpClient.Version.HTTP_1_1, "/ndjson", "gzip").headers().map())
        .containsKey("content-encoding");
  }

  @ParameterizedTest
  @EnumSource(ContentCoding.class)
  void whatIsFlushedArrivesBeforeTheRest(ContentCoding coding) throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    server.routes.get(
        "/slow",
        (_, response) -> {
          response.header("content-type", "text/plain");
          response.body().write("first\n".getBytes(StandardCharsets.UTF_8));
          response.body().flush();
          TestServer.awaitLatch(seen);
          response.trailer("end", "told").body().write('.');
        });
    try (HttpClient client = HttpClient.newHttpClient()) {
      InputStream body =
          client
              .send(
                  HttpRequest.newBuilder(server.uri("/slow"))
                      .header("accept-encoding", coding.token())
                      .build(),
                  HttpResponse.BodyHandlers.ofInputStream())
              .body();
      InputStream plain =
          coding == ContentCoding.GZIP
              ? new GZIPInputStream(body)
              : new ZstdInputStreamNoFinalizer(body).setContinuous(true);
      assertThat(new String(plain.readNBytes(6), StandardCharsets.UTF_8)).isEqualTo("first\n");
      seen.countDown();
      assertThat(text(plain)).isEqualTo(".");
    }
  }

  @ParameterizedTest
  @EnumSource(ContentCoding.class)
  void aHandlerThatFailsIsAnsweredInPlainText(ContentCoding coding) throws Exception {
    server.routes.get(
        "/fails",
        (_, response) -> {
          response.header("content-type", "text/plain");
          response.body().write(TEXT.getBytes(StandardCharsets.UTF_8));
          throw new HttpError(410, "gone while it was read");
        });
    HttpResponse<byte[]> response = get(HttpClient.Version.HTTP_1_1, "/fails", coding.token());
    assertThat(response.statusCode()).isEqualTo(410);
    assertThat(response.headers().map()).doesNotContainKey("content-encoding");
    assertThat(new String(response.body(), StandardCharsets.UTF_8))
        .isEqualTo("error: gone while it was read\n");
  }

  @Test
  void beyondItsBoundAnswersAreSentAsTheyAreUntilOthersEnd() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    answer("/text", "text/plain", TEXT);
    server.routes.get(
        "/open",
        (_, response) -> {
          response.header("content-type", "text/plain").body().flush();
          TestServer.awaitLatch(end);
        });
    List<Socket> open = new ArrayList<>();
    for (int i = 0; i < HttpServer.MAX_COMPRESSED; i++) {
      Socket socket = server.connect();
      open.add(socket);
      TestServer.send(socket, "GET /open HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
      assertThat(TestServer.readUntil(socket, "\r\n\r\n")).contains("content-encoding: gzip");
    }
    HttpResponse<byte[]> plain = get(HttpClient.Version.HTTP_1_1, "/text", "zstd");
    assertThat(plain.headers().map()).doesNotContainKey("content-encoding");
    assertThat(decoded(plain)).isEqualTo(TEXT);
    assertThat(server.registry.scrape()).contains("cordwood_http_not_compressed_total 1.0");
    end.countDown();
    for (Socket socket : open) {
      socket.close();
    }
    await()
        .until(() ->
            get(HttpClient.Version.HTTP_1_1, "/text", "zstd")
                .headers()
                .map()
                .containsKey("content-encoding"));
  }
}
