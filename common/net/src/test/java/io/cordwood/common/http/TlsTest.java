package io.cordwood.common.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.ca.Validity;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.ClientTls;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.common.tls.TlsOptions;
import io.cordwood.common.tls.TlsVersion;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsTest {
  private static final Duration PATIENCE = Patience.LONG;
  private static final String PLAIN = "HTTP/1.1 400 Bad Request\r\n\r\nuse https://\n";

  @TempDir private Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Certificates certificates;

  @BeforeEach
  void makeAuthority() {
    certificates = new Certificates(folder);
  }

  private record Node(NodeTls tls, TestServer server) implements AutoCloseable {
    URI uri(String path) {
      return URI.create("https://localhost:" + server.port() + path);
    }

    @Override
    public void close() {
      server.close();
      tls.close();
    }
  }

  private Node start(TlsOptions options) throws IOException {
    NodeTls tls = NodeTls.open(options, registry);
    var server = new TestServer(usual -> usual.withTls(Optional.of(tls.httpPort("api", PLAIN))));
    server.routes.get(
        "/peer",
        Params.NONE,
        (request, response) ->
            response.text(200, request.verifiedPeer() + " " + request.verifiedNode() + "\n"));
    server.routes.get(
        ApiPaths.STORE_SLICES, Params.NONE, (request, response) -> response.text(200, "slices\n"));
    return new Node(tls, server);
  }

  private Node start() throws IOException {
    return start(Certificates.patient(certificates.node()));
  }

  private double handshakes(String result) {
    return registry
        .get("cordwood.tls.handshakes")
        .tags("port", "api", "result", result)
        .counter()
        .count();
  }

  private void awaitHandshakes(String result, int count) {
    await().until(() -> handshakes(result) == count);
  }

  private static String ask(Node node, ClientTls tls) throws IOException {
    var client = new CliClient(TestServer.LONG, TestServer.LONG).withTls(Optional.of(tls));
    try (CliClient.Answer answer = client.get(node.uri("/peer"))) {
      return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void keysOfEachKindServe(String algorithm) throws Exception {
    Path tls = certificates.nodeWithKeyOf(algorithm);
    try (Node node = start(Certificates.patient(tls))) {
      assertThat(ask(node, ClientTls.trusting(tls.resolve("ca.pem")))).isEqualTo("false false");
      awaitHandshakes("ok", 1);
    }
  }

  @Test
  void bothVersionsOfHttpAreSpokenAsClientsChoose() throws Exception {
    try (Node node = start()) {
      ClientTls tls = certificates.trusting();
      try (HttpClient client =
          HttpClient.newBuilder()
              .sslContext(tls.context())
              .sslParameters(tls.parameters())
              .build()) {
        var version =
            client
                .send(
                    HttpRequest.newBuilder(node.uri("/peer")).build(),
                    HttpResponse.BodyHandlers.ofString())
                .version();
        assertThat(version).isEqualTo(HttpClient.Version.HTTP_2);
      }
      assertThat(ask(node, tls)).isEqualTo("false false");
      assertThat(handshakes("ok")).isEqualTo(2);
    }
  }

  @Test
  void requestsTellWhatCertificateTheirClientHas() throws Exception {
    try (Node node = start();
        NodeTls other = certificates.open(new SimpleMeterRegistry());
        var peer = new PeerClient(PATIENCE, PATIENCE, withTls(other))) {
      assertThat(ask(node, certificates.trusting())).isEqualTo("false false");
      assertThat(ask(node, certificates.client())).isEqualTo("true false");
      try (PeerResponse response = peer.get(node.uri("/peer"), PATIENCE)) {
        assertThat(new String(response.body().readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo("true true\n");
      }
    }
  }

  /** Without a key, too. */
  @Test
  void pathsForNodesAreOpenToCertificatesOfNodesAlone() throws Exception {
    try (Node node = start();
        NodeTls other = certificates.open(new SimpleMeterRegistry());
        var peer = new PeerClient(PATIENCE, PATIENCE, withTls(other))) {
      for (ClientTls tls : List.of(certificates.trusting(), certificates.client())) {
        var client = new CliClient(PATIENCE, PATIENCE).withTls(Optional.of(tls));
        try (CliClient.Answer answer = client.get(node.uri(ApiPaths.STORE_SLICES))) {
          assertThat(answer.status()).isEqualTo(403);
          assertThat(answer.body())
              .asString(StandardCharsets.UTF_8)
              .contains("expected a node of this cluster, which has its key or a certificate");
        }
      }
      try (PeerResponse response = peer.get(node.uri(ApiPaths.STORE_SLICES), PATIENCE)) {
        assertThat(response.status()).isEqualTo(200);
      }
    }
  }

  @Test
  void nothingBelow13IsSpokenUnlessItIsAllowed() throws Exception {
    try (Node node = start();
        Socket socket = node.server.connect()) {
      ClientTls tls = certificates.trusting();
      var old =
          (SSLSocket) tls.context().getSocketFactory().createSocket(socket, "localhost", 1, true);
      old.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThatThrownBy(old::startHandshake).isInstanceOf(SSLException.class);
      awaitHandshakes("failed", 1);
    }
    TlsOptions usual = Certificates.patient(certificates.node());
    var both = new TlsOptions(usual.folder(), TlsVersion.V1_2, usual.handshake(), usual.look());
    try (Node node = start(both);
        Socket socket = node.server.connect()) {
      var old =
          (SSLSocket)
              certificates
                  .trusting()
                  .context()
                  .getSocketFactory()
                  .createSocket(socket, "localhost", 1, true);
      old.setEnabledProtocols(new String[] {"TLSv1.2"});
      old.startHandshake();
      assertThat(old.getSession().getProtocol()).isEqualTo("TLSv1.2");
    }
  }

  @Test
  void clientsSayWhatIsWrongWithTheNodesCertificate() throws Exception {
    ClientTls tls = certificates.trusting();
    try (Node node =
        start(Certificates.patient(certificates.node(Certificates.now(), "other.host")))) {
      assertThatThrownBy(() -> ask(node, tls))
          .hasMessageContaining("the certificate there is for other names than localhost");
    }
    try (Node node = start()) {
      ClientTls strangers = new Certificates(folder).trusting();
      assertThatThrownBy(() -> ask(node, strangers))
          .hasMessageContaining(
              "the certificate of localhost is of an authority that is not trusted here");
      assertThatThrownBy(() -> ask(node, ClientTls.usual()))
          .hasMessageContaining("of an authority that is not trusted here");
      assertThat(ClientTls.usual().context()).isSameAs(ClientTls.usual().context());
      awaitHandshakes("failed", 3);
    }
    try (var plain = new TestServer()) {
      var client = new CliClient(PATIENCE, PATIENCE).withTls(Optional.of(tls));
      URI uri = URI.create("https://localhost:" + plain.port() + "/");
      assertThatThrownBy(() -> client.get(uri))
          .hasMessageContaining("it speaks plain text, and not TLS");
      await().until(() -> plain.metric("cordwood_http_refused_total{limit=\"tls\"}") == 1);
    }
  }

  @Test
  void nodesThatAreTooEarlyOrTooLateAreFoundByTheirClients() throws Exception {
    var late = new Validity(Certificates.now().from(), soon());
    try (Node node = start(Certificates.patient(certificates.node(late, "localhost")))) {
      await()
          .untilAsserted(() ->
              assertThatThrownBy(() -> ask(node, certificates.trusting()))
                  .hasMessageContaining("the certificate of localhost has expired"));
    }
    assertThatThrownBy(
            () -> start(Certificates.patient(certificates.node(Certificates.over(), "a"))))
        .hasMessageContaining("node.pem: the certificate expired at ");
    assertThatThrownBy(
            () -> start(Certificates.patient(certificates.node(Certificates.early(), "a"))))
        .hasMessageContaining("node.pem: the certificate is not valid before ");
  }

  @Test
  void clientsWithACertificateOfAnotherAuthorityAreRefused() throws Exception {
    try (Node node = start()) {
      Path own = new Certificates(folder).client(Certificates.now());
      ClientTls stranger = client(certificates.node().resolve("ca.pem"), own);
      assertThatThrownBy(() -> ask(node, stranger)).isInstanceOf(IOException.class);
      awaitHandshakes("failed", 1);
    }
  }

  /** When a certificate ends that is still to be read. */
  private static Instant soon() {
    return Instant.now().plus(Patience.millis(3000));
  }

  /** Neither do they begin with one, so it expires while they run. */
  @Test
  void clientsWhoseCertificateIsTooOldOrTooNewAreRefused() throws Exception {
    Path authorities = certificates.node().resolve("ca.pem");
    assertThatThrownBy(() -> client(authorities, certificates.client(Certificates.early())))
        .hasMessageContaining("client.pem: the certificate is not valid before ");
    assertThatThrownBy(() -> client(authorities, certificates.client(Certificates.over())))
        .hasMessageContaining("client.pem: the certificate expired at ");
    try (Node node = start()) {
      Instant end = soon();
      var late = new Validity(Certificates.now().from(), end);
      ClientTls client = client(authorities, certificates.client(late));
      await().until(() -> Instant.now().isAfter(end));
      assertThatThrownBy(() -> ask(node, client)).isInstanceOf(IOException.class);
      awaitHandshakes("failed", 1);
      assertThat(ask(node, certificates.client())).isNotEmpty();
    }
  }

  /** As a certificate that was stolen is shut out: its authority is no longer trusted. */
  @Test
  void anAuthorityThatIsTakenAwayIsTrustedNoMore() throws Exception {
    Path files = certificates.node();
    Path trusted = files.resolve("ca.pem");
    String own = Files.readString(trusted);
    Path client = new Certificates(folder).client(Certificates.now());
    Path authorities = Files.writeString(folder.resolve("own.pem"), own);
    Files.writeString(trusted, own + Files.readString(client.resolve("ca.pem")));
    try (Node node = start(Certificates.patient(files))) {
      assertThat(ask(node, client(authorities, client))).isNotEmpty();
      Path next = Files.writeString(files.resolve("ca.new"), own);
      Files.move(next, trusted, StandardCopyOption.ATOMIC_MOVE);
      await()
          .until(() -> registry.counter("cordwood_tls_reloads_total", "result", "ok").count() > 0);
      ClientTls stranger = client(authorities, client);
      assertThatThrownBy(() -> ask(node, stranger)).isInstanceOf(IOException.class);
      assertThat(ask(node, certificates.client())).isNotEmpty();
    }
  }

  private static ClientTls client(Path authorities, Path own) throws IOException {
    return ClientTls.of(
        Optional.of(authorities), own.resolve("client.pem"), own.resolve("client.key"));
  }

  @Test
  void plainTextIsToldThatThePortSpeaksTls() throws Exception {
    try (Node node = start()) {
      assertThat(node.server.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo(PLAIN);
      assertThat(node.server.exchange("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).isEqualTo(PLAIN);
      awaitHandshakes("plain", 2);
    }
  }

  @Test
  void randomBytesAndCutHandshakesDoNoHarm() throws Exception {
    try (Node node = start()) {
      var random = new Random(7);
      for (int i = 0; i < 20; i++) {
        byte[] bytes = new byte[600];
        random.nextBytes(bytes);
        bytes[0] = 0x16;
        try (Socket socket = node.server.connect()) {
          socket.getOutputStream().write(bytes);
          socket.shutdownOutput();
          socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
          // It may as well be reset.
        }
      }
      await().until(() -> handshakes("failed") > 0);
      assertThat(ask(node, certificates.trusting())).isEqualTo("false false");
    }
  }

  @Test
  void handshakesThatDoNotEndAreEnded() throws Exception {
    try (Node node = start(Certificates.quick(certificates.node()));
        Socket silent = node.server.connect();
        Socket slow = node.server.connect()) {
      slow.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1});
      assertThat(silent.getInputStream().readAllBytes()).isEmpty();
      assertThat(slow.getInputStream().readAllBytes().length).isLessThan(20);
      awaitHandshakes("timeout", 2);
    }
  }

  private static String serial(Node node, ClientTls tls) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.server.port());
        SSLSocket secured = tls.secure(socket, "localhost")) {
      var shown = (X509Certificate) secured.getSession().getPeerCertificates()[0];
      return shown.getSerialNumber().toString();
    }
  }

  @Test
  void filesAreReplacedWhileTheNodeRuns() throws Exception {
    Path files = certificates.node();
    try (Node node = start(Certificates.patient(files))) {
      ClientTls tls = certificates.trusting();
      String before = serial(node, tls);
      double expiry = expiry();

      Path next = certificates.node(Validity.forDays(40), "localhost");
      Files.move( // at once, since half a file would be a failure of its own
          next.resolve("node.pem"), files.resolve("node.pem"), StandardCopyOption.ATOMIC_MOVE);
      await()
          .until(() ->
              registry.counter("cordwood_tls_reloads_total", "result", "refused").count() > 0);
      assertThat(serial(node, certificates.trusting())).isEqualTo(before);
      assertThat(expiry()).isEqualTo(expiry);

      Files.move(
          next.resolve("node.key"), files.resolve("node.key"), StandardCopyOption.ATOMIC_MOVE);
      await().until(() -> !serial(node, certificates.trusting()).equals(before));
      await().until(() -> expiry() > expiry);
      assertThat(registry.counter("cordwood_tls_reloads_total", "result", "refused").count())
          .isEqualTo(1);
    }
  }

  private double expiry() {
    return registry.get("cordwood_tls_certificate_expiry_timestamp_seconds").gauge().value();
  }

  @Test
  void aKeyThatOthersMayReadIsRefused() throws Exception {
    Path files = certificates.node();
    Files.setPosixFilePermissions(
        files.resolve("node.key"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> start(Certificates.patient(files)))
        .hasMessageContaining("node.key: expected a key that others cannot read");
    Files.delete(files.resolve("node.key"));
    assertThatThrownBy(() -> start(Certificates.patient(files)))
        .hasMessageContaining("expected a file")
        .hasMessageContaining("node.key, found none");
  }

  private static PeerCredentials withTls(NodeTls tls) {
    return new PeerCredentials(NodeKeys.NONE, Optional.of(tls.client()));
  }
}
