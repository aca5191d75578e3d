package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.RawHttp2;
import io.cordwood.common.http.RawHttp2.Frame;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known to have brought HTTP/2 servers down ends the connection here, and nothing else. */
class Http2DefenceTest {
  private static final int FLOOD = 1000;
  private static final int CANCEL = 8;
  private static final int REFUSED_STREAM = 7;
  private static final int FLOW_CONTROL_ERROR = 3;
  private static final Duration SHORT = Patience.millis(300);

  private final CountDownLatch go = new CountDownLatch(1);
  private TestServer server = new TestServer();

  Http2DefenceTest() {
    addRoutes();
  }

  private void addRoutes() {
    server.routes.get(
        "/wait",
        (_, response) -> {
          TestServer.awaitLatch(go);
          response.text(200, "went");
        });
    server.routes.post(
        "/sink",
        1 << 20,
        (request, response) ->
            response.text(200, "" + request.body().transferTo(OutputStream.nullOutputStream())));
    server.routes.get(
        "/endless",
        (_, response) -> {
          while (!response.clientGone()) {
            response.body().write(new byte[1 << 10]);
          }
        });
  }

  @AfterEach
  void theOthersAreServedToTheEnd() throws IOException {
    go.countDown();
    try (var other = new RawHttp2(server)) {
      get(other, 1, "/livez");
      assertThat(other.await(RawHttp2.HEADERS)).isNotNull();
    }
    server.close();
  }

  private static void get(RawHttp2 client, int stream, String path) throws IOException {
    int flags = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
    client.send(RawHttp2.HEADERS, flags, stream, RawHttp2.request("GET", path));
  }

  private static void post(RawHttp2 client, int stream, String path) throws IOException {
    client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.request("POST", path));
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }

  private interface Attack {
    void round(RawHttp2 client, int stream) throws IOException;
  }

  /** Round after round, until the server ends the connection. */
  private void assertEnded(Attack attack) throws IOException {
    try (var client = new RawHttp2(server)) {
      try {
        for (int i = 0; i < FLOOD; i++) {
          attack.round(client, 2 * i + 1);
        }
      } catch (IOException e) {
        return; // Thrown out in the middle.
      }
      client.awaitEnd();
    }
  }

  @Test
  void floodOfResetsEndsTheConnection() throws IOException {
    assertEnded((client, stream) -> {
      get(client, stream, "/wait");
      client.send(RawHttp2.RST_STREAM, 0, stream, number(CANCEL));
    });
    awaitFloodsCounted();
    assertThat(server.metric("cordwood_http_resets_total")).isZero();
  }

  private void awaitFloodsCounted() {
    await().until(() -> server.metric("cordwood_http_refused_total{limit=\"floods\"}") == 1);
  }

  @Test
  void floodOfResetsThatTheServerIsMadeToSendEndsTheConnection() throws IOException {
    assertEnded((client, stream) -> {
      post(client, stream, "/sink");
      client.send(RawHttp2.WINDOW_UPDATE, 0, stream, number(0));
    });
    awaitFloodsCounted();
    assertThat(server.metric("cordwood_http_resets_total{client=\"other\"}")).isPositive();
  }

  @Test
  void emptyDataFramesEndTheConnection() throws IOException {
    assertEnded((client, stream) -> {
      if (stream == 1) {
        post(client, 1, "/sink");
      }
      client.send(RawHttp2.DATA, 0, 1, RawHttp2.NOTHING);
    });
  }

  @Test
  void emptyContinuationsEndTheConnection() throws IOException {
    assertEnded((client, stream) -> {
      if (stream == 1) {
        client.send(RawHttp2.HEADERS, 0, 1, RawHttp2.request("GET", "/livez"));
      }
      client.send(RawHttp2.CONTINUATION, 0, 1, RawHttp2.NOTHING);
    });
  }

  @Test
  void headersWithoutEndEndTheConnection() throws IOException {
    byte[] header = new byte[4 + 100];
    Arrays.fill(header, (byte) 'a');
    header[0] = 0;
    header[1] = 1;
    header[3] = 100;
    assertEnded((client, stream) -> {
      if (stream == 1) {
        client.send(RawHttp2.HEADERS, 0, 1, RawHttp2.request("GET", "/livez"));
      }
      client.send(RawHttp2.CONTINUATION, 0, 1, header);
    });
  }

  /** A header of 4,000 bytes, and a thousand bytes that each stand for it again. */
  @Test
  void headersThatUnpackToMuchEndTheConnection() throws IOException {
    byte[] request = RawHttp2.request("GET", "/livez");
    int valueBytes = 4000;
    var bomb = ByteBuffer.allocate(request.length + 6 + valueBytes + FLOOD);
    bomb.put(request).put((byte) 0x40).put((byte) 1).put((byte) 'a');
    bomb.put((byte) 0x7f).put((byte) (((valueBytes - 127) & 0x7f) | 0x80));
    bomb.put((byte) ((valueBytes - 127) >> 7));
    byte[] rest = new byte[valueBytes + FLOOD];
    Arrays.fill(rest, 0, valueBytes, (byte) 'b');
    Arrays.fill(rest, valueBytes, rest.length, (byte) 0xbe);
    bomb.put(rest);
    int flags = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
    assertEnded((client, stream) -> client.send(RawHttp2.HEADERS, flags, stream, bomb.array()));
  }

  @Test
  void pingsWhoseAnswersAreNotReadEndTheConnection() throws IOException {
    try (var client = new RawHttp2(server)) {
      byte[] ping = new byte[17];
      ping[2] = 8;
      ping[3] = RawHttp2.PING;
      byte[] pings = new byte[ping.length * 4096];
      for (int i = 0; i < pings.length; i++) {
        pings[i] = ping[i % ping.length];
      }
      int sent = 0;
      try {
        for (; sent < 1000; sent++) {
          client.send(pings);
        }
      } catch (IOException e) {
        return;
      }
      throw new AssertionError("expected to be thrown out, sent " + sent * 4096 + " pings");
    }
  }

  @Test
  void oneStreamTooManyIsRefusedAndTheOthersGoOn() throws IOException {
    int max = HttpServerOptions.at("127.0.0.1", 0).counts().maxConcurrentStreams();
    try (var client = new RawHttp2(server)) {
      for (int i = 0; i <= max; i++) {
        get(client, 2 * i + 1, "/wait");
      }
      Frame refusal = Objects.requireNonNull(client.await(RawHttp2.RST_STREAM));
      assertThat(refusal.stream()).isEqualTo(2 * max + 1);
      assertThat(refusal.number(0)).isEqualTo(REFUSED_STREAM);
      go.countDown();
      for (int i = 0; i < max; i++) {
        assertThat(client.await(RawHttp2.HEADERS)).isNotNull();
      }
    }
  }

  @Test
  void peerThatWantsNoHeadersIsAnsweredAllTheSame() throws IOException {
    try (var client = new RawHttp2(server, RawHttp2.MAX_HEADER_LIST_SIZE, 1)) {
      get(client, 1, "/livez");
      assertThat(client.await(RawHttp2.HEADERS)).isNotNull();
    }
  }

  @Test
  void readerWithoutAWindowIsGivenUp() throws IOException {
    server.close();
    server =
        new TestServer(options ->
            options.withTimeouts(
                options.timeouts().idle(),
                options.timeouts().header(),
                SHORT,
                options.timeouts().closeGrace()));
    addRoutes();
    try (var client = new RawHttp2(server, RawHttp2.INITIAL_WINDOW_SIZE, 0)) {
      get(client, 1, "/endless");
      assertThat(client.await(RawHttp2.RST_STREAM)).isNotNull();
      await().until(() -> server.metric("cordwood_http_stalled_total") >= 1);
    }
  }

  @Test
  void oldConnectionEndsBehindTheAnswersThatRun() throws IOException {
    server.close();
    server = new TestServer(options -> options.withMaxConnectionAge(Patience.millis(2000)));
    addRoutes();
    try (var client = new RawHttp2(server)) {
      get(client, 1, "/wait");
      Frame goAway = Objects.requireNonNull(client.await(RawHttp2.GOAWAY));
      assertThat(goAway.number(1)).as("error").isZero();
      go.countDown();
      assertThat(client.await(RawHttp2.HEADERS)).isNotNull();
      client.awaitEnd();
    }
    assertThat(server.metric("cordwood_http_aged_total")).isEqualTo(1);
  }

  @Test
  void bodyIsNeverInflated() throws Exception {
    byte[] bomb = new byte[1000];
    List<String> head =
        List.of(
            "POST /sink HTTP/1.1",
            "host: x",
            "connection: close",
            "content-encoding: gzip",
            "content-length: 1000");
    try (var socket = server.connect()) {
      TestServer.send(socket, String.join("\r\n", head) + "\r\n\r\n");
      socket.getOutputStream().write(bomb);
      assertThat(TestServer.readAll(socket)).endsWith("\r\n\r\n1000");
    }
  }

  @Test
  void nettyHasWhatWasMendedLast() {
    String version =
        Objects.requireNonNull(Version.identify().get("netty-codec-http2")).artifactVersion();
    int[] numbers =
        Arrays.stream(version.split("\\.", -1)).limit(3).mapToInt(Integer::parseInt).toArray();
    assertThat(Arrays.compare(numbers, new int[] {4, 2, 15}))
        .as("Netty %s, 4.2.15 at least", version)
        .isNotNegative();
  }

  @Test
  void floodOfSettingsEndsTheConnection() throws IOException {
    assertEnded((client, _) -> client.send(RawHttp2.SETTINGS, 0, 0, RawHttp2.NOTHING));
  }

  @Test
  void floodOfPingsEndsTheConnection() throws IOException {
    assertEnded((client, _) -> client.send(RawHttp2.PING, 0, 0, new byte[8]));
    awaitFloodsCounted();
  }

  @Test
  void connectionThatErrsLearnsWhy() throws IOException {
    try (var client = new RawHttp2(server)) {
      client.send(RawHttp2.WINDOW_UPDATE, 0, 0, number(Integer.MAX_VALUE));
      Frame goAway = Objects.requireNonNull(client.await(RawHttp2.GOAWAY));
      assertThat(goAway.number(1)).isEqualTo(FLOW_CONTROL_ERROR);
      client.awaitEnd();
    }
  }

  @Test
  void whoAgreesOnHttp2InTlsIsNotAnsweredInHttp1(@TempDir Path folder) throws IOException {
    var certificates = new Certificates(folder);
    try (NodeTls tls = certificates.open(new SimpleMeterRegistry());
        var secured =
            new TestServer(options -> options.withTls(Optional.of(tls.httpPort("api", "none"))));
        Socket plain = secured.connect();
        var socket =
            (SSLSocket)
                certificates
                    .trusting()
                    .context()
                    .getSocketFactory()
                    .createSocket(plain, "localhost", secured.port(), true)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      TestServer.send(socket, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(socket.getInputStream().readAllBytes()).isEmpty();
    }
  }
}
