package io.cordwood.common.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that one node sends another, whatever the other makes of them. */
@ExtendWith(BufferLeaks.Watch.class)
class UploadTest {
  private static final String IN_FLIGHT = "cordwood_http_requests_in_flight ";
  private static final String OPEN = "cordwood_http_connections ";
  private static final int PIECES = 48;
  private static final int PIECE_BYTES = 64 << 10;
  private static final Duration WORTH = Duration.ofMillis(500);

  private TestServer server = at(0);
  private final PeerClient client = new PeerClient(TestServer.LONG, TestServer.LONG);

  private static TestServer at(int port) {
    return new TestServer(_ ->
        HttpServerOptions.at("127.0.0.1", port)
            .withTimeouts(
                TestServer.LONG, TestServer.LONG, TestServer.LONG, Duration.ofMillis(50)));
  }

  @BeforeEach
  void addRoutes() {
    server.routes.post(
        "/count",
        Long.MAX_VALUE,
        (request, response) -> {
          long bytes = request.body().transferTo(OutputStream.nullOutputStream());
          response.text(200, bytes + "\n");
        });
    server.routes.post(
        "/unread",
        Long.MAX_VALUE,
        (_, _) -> {
          throw new HttpError(409, "not this one");
        });
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static Iterator<byte[]> pieces() {
    return Stream.generate(() -> new byte[PIECE_BYTES]).limit(PIECES).iterator();
  }

  private PeerResponse post(String path, Iterator<byte[]> pieces, BooleanSupplier goOn)
      throws IOException {
    return client.post(
        server.uri(path), pieces, (long) PIECES * PIECE_BYTES, goOn, TestServer.LONG);
  }

  private void assertUploads() throws IOException {
    try (PeerResponse response = post("/count", pieces(), () -> true)) {
      assertThat(response.body().readAllBytes())
          .isEqualTo((PIECES * PIECE_BYTES + "\n").getBytes(UTF_8));
    }
  }

  @Test
  void manyAtOnceShareOneConnection() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Boolean>> uploads = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        uploads.add(() -> {
          assertUploads();
          return true;
        });
      }
      for (Future<Boolean> upload : threads.invokeAll(uploads)) {
        assertThat(upload.get()).isTrue();
      }
    }
    assertThat(server.metric(OPEN)).isEqualTo(1);
  }

  /** The body is not sent before the peer has asked for it, so nothing of it is lost. */
  @Test
  void theFirstOneAfterTheConnectionWasClosedGoesOnANewOne() throws IOException {
    int port = FreePorts.next();
    for (int life = 0; life < 2; life++) {
      server.close();
      server = at(port);
      addRoutes();

      assertUploads();
    }
  }

  @Test
  void bodyIsNotSentToAPeerThatRefusesTheCall() throws IOException {
    for (int i = 0; i < 3; i++) {
      var asked = new AtomicInteger();
      Iterator<byte[]> pieces = counted(asked);
      try (PeerResponse response = post("/unread", pieces, () -> true)) {
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.error()).isEqualTo("error: not this one");
      }
      assertThat(asked).hasValue(0);
    }
    assertUploads();
  }

  private static Iterator<byte[]> counted(AtomicInteger asked) {
    return Stream.generate(() -> new byte[PIECE_BYTES])
        .limit(PIECES)
        .peek(_ -> asked.incrementAndGet())
        .iterator();
  }

  @Test
  void peerThatHasEnoughInTheMidstIsHeard() throws IOException {
    server.routes.post(
        "/full",
        Long.MAX_VALUE,
        (request, _) -> {
          byte[] _ = request.body().readNBytes(PIECE_BYTES);
          throw new HttpError(507, "the disk is full");
        });
    try (PeerResponse response = post("/full", pieces(), () -> true)) {
      assertThat(response.status()).isEqualTo(507);
      assertThat(response.error()).isEqualTo("error: the disk is full");
    }
    assertUploads();
  }

  @Test
  void bodyThatCannotBeReadBreaksItsCallOff() throws IOException {
    Iterator<byte[]> broken =
        Stream.of(1, 2)
            .map(piece -> {
              if (piece == 2) {
                throw new UncheckedIOException(new IOException("the disk is gone"));
              }
              return new byte[PIECE_BYTES];
            })
            .iterator();
    assertThatThrownBy(() -> post("/count", broken, () -> true))
        .hasRootCauseMessage("the disk is gone");
    await().until(() -> server.metric(IN_FLIGHT) == 0);
    assertUploads();
  }

  @Test
  void bodyThatIsWorthNoWaitIsBrokenOffAlone() throws IOException {
    assertUploads();
    var stuck = new CountDownLatch(1);
    server.routes.post(
        "/stuck",
        Long.MAX_VALUE,
        (request, _) -> {
          byte[] _ = request.body().readNBytes(1);
          TestServer.awaitLatch(stuck);
        });
    try {
      assertThatThrownBy(() -> post("/stuck", endless(), soon()))
          .isInstanceOf(HttpTimeoutException.class)
          .hasMessageContaining("/stuck: nothing went on for too long, broken off");
      assertUploads();
    } finally {
      stuck.countDown();
    }
  }

  private static Iterator<byte[]> endless() {
    return Stream.generate(() -> new byte[PIECE_BYTES]).iterator();
  }

  private static BooleanSupplier soon() {
    long end = System.nanoTime() + WORTH.toNanos();
    return () -> System.nanoTime() < end;
  }

  /** As one that is paused by SIGSTOP: the kernel takes the connection, and some bytes. */
  @Test
  void soIsOneToAPeerThatSaysNothingAtAll() throws IOException {
    try (var paused = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI uri = URI.create("http://127.0.0.1:" + paused.getLocalPort() + "/replicate");
      assertThatThrownBy(() -> client.post(uri, endless(), 1L << 40, soon(), TestServer.LONG))
          .hasMessageContaining("/replicate: nothing went on for too long, broken off");
      assertThatThrownBy(() -> client.post(uri, endless(), 1L << 40, () -> true, WORTH))
          .hasMessageContaining("/replicate: no");
    }
  }

  @Test
  void soIsOneOverTlsToAPeerThatTakesNoMore(@TempDir Path folder) throws Exception {
    var certificates = new Certificates(folder);
    var stuck = new CountDownLatch(1);
    try (NodeTls tls = certificates.open(new SimpleMeterRegistry());
        var secure =
            new TestServer(options -> options.withTls(Optional.of(tls.httpPort("api", ""))));
        var caller =
            new PeerClient(
                TestServer.LONG,
                TestServer.LONG,
                new PeerCredentials(NodeKeys.NONE, Optional.of(tls.client())))) {
      secure.routes.post(
          "/stuck",
          Long.MAX_VALUE,
          (request, _) -> {
            byte[] _ = request.body().readNBytes(1);
            TestServer.awaitLatch(stuck);
          });
      URI uri = URI.create("https://localhost:" + secure.port() + "/stuck");
      assertThatThrownBy(() -> caller.post(uri, endless(), 1L << 40, soon(), TestServer.LONG))
          .hasMessageContaining("/stuck: nothing went on for too long, broken off");
      stuck.countDown();
    }
  }
}
