package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Issued;
import io.cordwood.common.ca.Validity;
import io.cordwood.common.testing.Patience;
import io.cordwood.forwarder.TestNode.Behaviour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records sent with TLS. */
final class TlsTargetsTest {
  private static final Duration LONG = Patience.LONG;

  @TempDir private Path folder;
  private final Authority authority = Authority.create("test", Validity.forDays(30));
  private final Archive archive = new Archive();
  private Path trusted;

  @BeforeEach
  void writeAuthority() throws IOException {
    CertificateFolder.writeAuthority(folder, authority, false);
    trusted = folder.resolve("ca.pem");
  }

  private TestNode node(int port, Validity validity, String... names) throws Exception {
    return node(authority, port, validity, names);
  }

  private TestNode node(Authority by, int port, Validity validity, String... names)
      throws Exception {
    Issued issued = by.node(List.of(names), validity);
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("node", issued.key(), new char[0], new Certificate[] {issued.certificate()});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return new TestNode(
        archive,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        context.getServerSocketFactory().createServerSocket());
  }

  private TestNode node(int port) throws Exception {
    return node(port, Validity.forDays(1), "localhost", "127.0.0.1");
  }

  private ForwarderOptions.Builder options(TestNode node) {
    return ForwarderOptions.builder()
        .target(Target.parse("tls://127.0.0.1:" + node.port(), 1))
        .tlsAuthorities(trusted)
        .connectTimeout(LONG)
        .ackTimeout(LONG)
        .backoff(Duration.ofMillis(1), Duration.ofMillis(20));
  }

  private static Forwarder start(ForwarderOptions.Builder options, List<String> reasons) {
    return Forwarder.start(
        options.build(),
        new ForwarderListener() {
          @Override
          public void connectFailed(Target target, String reason, Duration pause) {
            reasons.add(reason);
          }
        });
  }

  private static Forwarder start(ForwarderOptions.Builder options) {
    return start(options, new CopyOnWriteArrayList<>());
  }

  @Test
  void linesArriveAtANodeThatRestarts() throws Exception {
    List<String> lines =
        IntStream.range(0, 20_000).mapToObj(i -> "line " + i + " " + "x".repeat(90)).toList();
    TestNode node = node(0);
    try (Forwarder forwarder = start(options(node))) {
      NodeFixture.sendLines(forwarder, String.join("\n", lines) + "\n");
      NodeFixture.flush(forwarder);
      node.close();
      NodeFixture.sendLines(forwarder, "during\n");
      await().atMost(LONG).until(() -> forwarder.counters().connections().disconnects() > 0);
      node = node(node.port());
      NodeFixture.sendLines(forwarder, "after\n");
      NodeFixture.flush(forwarder);
    } finally {
      node.close();
    }
    assertThat(node.faults).isEmpty();
    assertThat(archive.records()).startsWith("line 0 " + "x".repeat(90)).hasSize(20_002);
    assertThat(archive.records().subList(0, 20_000)).isEqualTo(lines);
    assertThat(archive.records().subList(20_000, 20_002)).containsExactly("during", "after");
  }

  @Test
  void uploadsAreAcknowledgedAfterTheirEnd() throws Exception {
    List<String> lines =
        IntStream.range(0, 30_000).mapToObj(i -> "line " + i + " " + "x".repeat(90)).toList();
    try (TestNode node = node(0).behaviour(Behaviour.ACK_AT_END);
        Forwarder forwarder = start(options(node).uploadBytes(ForwarderOptions.MIN_UPLOAD_BYTES))) {
      NodeFixture.stream(forwarder, String.join("\n", lines));
      NodeFixture.flush(forwarder);
      assertThat(archive.records()).isEqualTo(lines);
      assertThat(node.uploads).hasSizeGreaterThan(1);
      assertThat(forwarder.counters().connections().disconnects()).isZero();
    }
  }

  @Test
  void authoritiesThatAreReplacedAreTrustedAtTheNextConnectionAndBrokenOnesAreNot()
      throws Exception {
    List<String> reasons = new CopyOnWriteArrayList<>();
    Authority next = Authority.create("next", Validity.forDays(30));
    Path nextFolder = folder.resolve("next");
    CertificateFolder.writeAuthority(nextFolder, next, false);
    TestNode node = node(0);
    try (Forwarder forwarder = start(options(node), reasons)) {
      NodeFixture.sendLines(forwarder, "first\n");
      NodeFixture.flush(forwarder);
      Files.writeString(trusted, "half of a certif");
      node.close();
      node = node(node.port());
      NodeFixture.sendLines(forwarder, "while it is broken\n");
      NodeFixture.flush(forwarder);
      node.close();
      node = node(next, node.port(), Validity.forDays(1), "127.0.0.1");
      NodeFixture.sendLines(forwarder, "by the next authority\n");
      await()
          .atMost(LONG)
          .until(() -> reasons.stream().anyMatch(why -> why.contains("the TLS handshake fails")));
      Files.move(nextFolder.resolve("ca.pem"), trusted, StandardCopyOption.REPLACE_EXISTING);
      NodeFixture.flush(forwarder);
    } finally {
      node.close();
    }
    assertThat(archive.records())
        .containsExactly("first", "while it is broken", "by the next authority");
  }

  private void expectRefusal(ForwarderOptions.Builder options, String reason) {
    List<String> reasons = new CopyOnWriteArrayList<>();
    try (Forwarder forwarder = start(options, reasons)) {
      NodeFixture.sendLines(forwarder, "a line\n");
      await()
          .atMost(LONG)
          .untilAsserted(() -> assertThat(reasons).anyMatch(said -> said.contains(reason)));
      forwarder.close(Duration.ZERO);
    }
    assertThat(archive.count()).isZero();
  }

  @Test
  void nodesThatAreNotWhoTheyShouldBeGetNothing() throws Exception {
    try (TestNode node = node(0, Validity.forDays(1), "other.host")) {
      expectRefusal(options(node), "No subject alternative names matching IP address 127.0.0.1");
    }
    var over =
        new Validity(
            Instant.now().minus(Duration.ofDays(2)), Instant.now().minus(Duration.ofDays(1)));
    try (TestNode node = node(0, over, "127.0.0.1")) {
      expectRefusal(options(node), "the node's certificate has expired");
    }
    try (TestNode node = node(0)) {
      Path other = folder.resolve("other");
      CertificateFolder.writeAuthority(
          other, Authority.create("test", Validity.forDays(30)), false);
      expectRefusal(
          options(node).tlsAuthorities(other.resolve("ca.pem")), "the TLS handshake fails");
    }
  }

  private static void answerPlainly(ServerSocket port) {
    while (!port.isClosed()) {
      try (Socket sender = port.accept()) {
        sender.getOutputStream().write(NodeFixture.bytes("error: expected lines\n"));
        sender.shutdownOutput();
        sender.getInputStream().readAllBytes();
      } catch (IOException e) {
        // The forwarder left, or the test is over.
      }
    }
  }

  @Test
  void nodesThatSpeakPlainTextGetNothing() throws Exception {
    try (TestNode silent = new TestNode(archive).behaviour(Behaviour.DEAF)) {
      expectRefusal(
          options(silent).connectTimeout(Duration.ofMillis(200)),
          "no end of the TLS handshake within 200 ms");
    }
    try (var plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerPlainly(plain));
      expectRefusal(
          ForwarderOptions.builder()
              .target(Target.parse("tls://127.0.0.1", plain.getLocalPort()))
              .tlsAuthorities(trusted),
          "it speaks plain text, and not TLS");
    }
  }

  @Test
  void authoritiesThatCannotBeReadAreRefused() throws IOException {
    ForwarderOptions.Builder options = ForwarderOptions.builder();
    assertThatThrownBy(() -> options.tlsAuthorities(folder.resolve("none.pem")))
        .hasMessageContaining("found no ");
    Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing");
    assertThatThrownBy(() -> options.tlsAuthorities(empty))
        .hasMessageContaining("expected certificates in PEM in ");
  }
}
