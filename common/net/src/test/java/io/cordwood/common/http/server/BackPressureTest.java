package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.VersionedClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers that are slow, or leave, over HTTP/1.1 and HTTP/2. */
class BackPressureTest {
  private static final int MIB = 1 << 20;
  private static final int LONG_BYTES = 64 * MIB;
  private static final int SLOW_BODIES = 6;

  /** What the window, the sockets' buffers and HTTP/2's windows may hold together. */
  private static final int HELD_BYTES = 32 * MIB;

  private final TestServer server =
      new TestServer(options ->
          options.withTimeouts(TestServer.LONG, TestServer.LONG, TestServer.LONG, TestServer.LONG));
  @TempDir Path folder;

  @AfterEach
  void closeServer() {
    server.close();
  }

  private void askQuickly(VersionedClient client) throws IOException {
    try (InputStream body = client.get(server.uri("/livez"))) {
      assertThat(body.readAllBytes()).hasSize(3);
    }
  }

  /** Writes without end, or so many bytes, and tells how many were accepted. */
  private void addEndless(String path, long bytes, AtomicLong accepted, CountDownLatch gone) {
    server.routes.get(
        path,
        (_, response) -> {
          byte[] piece = new byte[8 << 10];
          try {
            while (accepted.get() < bytes) {
              response.body().write(piece);
              accepted.addAndGet(piece.length);
            }
          } catch (ClientGoneException e) {
            gone.countDown();
            throw e;
          }
        });
  }

  private static void awaitStandstill(AtomicLong counter) {
    AtomicLong last = new AtomicLong(-1);
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(() -> counter.get() > 0 && last.getAndSet(counter.get()) == counter.get());
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void slowReaderSlowsTheHandler(Version version) throws Exception {
    AtomicLong accepted = new AtomicLong();
    addEndless("/fast", 2L * LONG_BYTES, accepted, new CountDownLatch(1));
    try (var client = new VersionedClient(version);
        InputStream body = client.get(server.uri("/fast"))) {
      awaitStandstill(accepted);
      assertThat(accepted.get()).isLessThan(HELD_BYTES);
      assertThat(body.transferTo(OutputStream.nullOutputStream())).isEqualTo(2L * LONG_BYTES);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void slowHandlerSlowsTheSender(Version version) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    server.routes.post(
        "/slow",
        2L * LONG_BYTES,
        (request, response) -> {
          TestServer.awaitLatch(read);
          response.text(200, "" + request.body().transferTo(OutputStream.nullOutputStream()));
        });
    AtomicLong sent = new AtomicLong();
    try (var client = new VersionedClient(version)) {
      BodyPublisher body =
          BodyPublishers.ofInputStream(() -> new CountedZeros(2L * LONG_BYTES, sent));
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(() -> post(client, "/slow", body));
      awaitStandstill(sent);
      assertThat(sent.get()).isLessThan(HELD_BYTES);
      read.countDown();
      assertThat(answer.join()).isEqualTo("" + 2L * LONG_BYTES);
    }
  }

  private String post(VersionedClient client, String path, BodyPublisher body) {
    try {
      return client.post(server.uri(path), body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class CountedZeros extends InputStream {
    private final AtomicLong sent;
    private final long length;

    CountedZeros(long length, AtomicLong sent) {
      this.length = length;
      this.sent = sent;
    }

    @Override
    public int read() {
      return sent.get() < length ? (int) (sent.incrementAndGet() & 0) : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) {
      int read = (int) Math.min(count, length - sent.get());
      sent.addAndGet(read);
      return read == 0 ? -1 : read;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void handlerThatWritesLearnsThatTheClientLeft(Version version) throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    AtomicLong accepted = new AtomicLong();
    addEndless("/endless", Long.MAX_VALUE, accepted, gone);
    try (var client = new VersionedClient(version)) {
      InputStream body = client.get(server.uri("/endless"));
      assertThat(body.readNBytes(MIB)).hasSize(MIB);
      body.close();
      TestServer.awaitLatch(gone);
    }
    await()
        .untilAsserted(() ->
            assertThat(
                    server.metric(
                        "cordwood_http_requests_total{method=\"GET\",route=\"/endless\","
                            + "status=\"gone\""))
                .isOne());
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void handlerThatOnlyPollsLearnsThatTheClientLeft(Version version) throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    server.routes.get(
        "/quiet",
        (_, response) -> {
          response.body().write('x');
          response.body().flush();
          started.countDown();
          await().until(response::clientGone);
          gone.countDown();
        });
    try (var client = new VersionedClient(version)) {
      InputStream body = client.get(server.uri("/quiet"));
      TestServer.awaitLatch(started);
      body.close();
      TestServer.awaitLatch(gone);
    }
  }

  @Test
  void streamThatIsNotReadDoesNotStopTheOthers() throws Exception {
    AtomicLong accepted = new AtomicLong();
    addEndless("/endless", Long.MAX_VALUE, accepted, new CountDownLatch(1));
    try (var client = new VersionedClient(Version.HTTP_2)) {
      askQuickly(client);
      try (InputStream _ = client.get(server.uri("/endless"))) {
        awaitStandstill(accepted);
        for (int i = 0; i < 10; i++) {
          askQuickly(client);
        }
        assertThat(server.metric("cordwood_http_connections ")).isOne();
      }
    }
  }

  @Test
  void bodiesThatAreNotReadDoNotStopTheOthers() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(SLOW_BODIES);
    server.routes.post(
        "/slow",
        LONG_BYTES,
        (request, response) -> {
          waiting.countDown();
          TestServer.awaitLatch(read);
          response.text(200, "" + request.body().transferTo(OutputStream.nullOutputStream()));
        });
    List<AtomicLong> sent = Stream.generate(AtomicLong::new).limit(SLOW_BODIES).toList();
    try (var client = new VersionedClient(Version.HTTP_2);
        var senders = Executors.newVirtualThreadPerTaskExecutor()) {
      askQuickly(client);
      List<CompletableFuture<String>> answers =
          sent.stream()
              .map(each -> BodyPublishers.ofInputStream(() -> new CountedZeros(4 * MIB, each)))
              .map(
                  body -> CompletableFuture.supplyAsync(() -> post(client, "/slow", body), senders))
              .toList();
      TestServer.awaitLatch(waiting);
      sent.forEach(BackPressureTest::awaitStandstill);
      server.routes.post("/quick", MIB, (request, response) -> response.text(200, "quick"));
      assertThat(post(client, "/quick", BodyPublishers.ofByteArray(new byte[MIB])))
          .isEqualTo("quick");
      assertThat(server.metric("cordwood_http_connections ")).isOne();
      read.countDown();
      assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isEqualTo("" + 4 * MIB));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void closeLetsRunningAnswersEnd(Version version) throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    server.routes.get(
        "/wait",
        (_, response) -> {
          response.body().write(new byte[MIB]);
          response.body().flush();
          started.countDown();
          TestServer.awaitLatch(go);
          response.body().write(new byte[MIB]);
        });
    try (var client = new VersionedClient(version);
        InputStream body = client.get(server.uri("/wait"))) {
      TestServer.awaitLatch(started);
      assertThat(body.readNBytes(MIB)).hasSize(MIB);
      Thread closing = Thread.ofPlatform().start(server::close);
      await().until(() -> !accepts());
      go.countDown();
      if (version == Version.HTTP_1_1) {
        assertThat(body.readAllBytes()).hasSize(MIB);
      }
      // In HTTP/2, the JDK's client drops what it was not asked for yet when a connection ends.
      closing.join();
    }
    assertThat(
            server.metric(
                "cordwood_http_requests_total{method=\"GET\",route=\"/wait\",status=\"200\""))
        .isOne();
    assertThat(server.metric("cordwood_http_sent_bytes_total")).isEqualTo(2 * MIB);
  }

  private boolean accepts() {
    try (Socket _ = server.connect()) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
