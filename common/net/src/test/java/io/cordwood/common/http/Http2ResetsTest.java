package io.cordwood.common.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerConnections;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.Guard;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes may break off any number of calls; nobody else may. */
final class Http2ResetsTest {
  private static final int MANY = 1000;
  private static final int CANCEL = 8;
  private static final String OPEN = "cordwood_http_connections ";
  private static final String IN_FLIGHT = "cordwood_http_requests_in_flight ";
  private static final NodeKeys KEYS = new NodeKeys(List.of(new byte[32]), InstantSource.system());

  private static TestServer waiting(TestServer server) {
    server.routes.get(
        ApiPaths.STORE_SLICES,
        (_, response) -> {
          response.body().write('a');
          response.body().flush();
          while (!response.clientGone()) {
            response.body().write(new byte[1 << 10]);
          }
        });
    return server;
  }

  private static TestServer withKey() {
    TestServer server = waiting(new TestServer());
    server.routes.guardedBy(new Guard(null, KEYS, null, AuditLog.NONE));
    return server;
  }

  /** Breaks off many calls one by one, while another one runs all the time. */
  private static void breakOffMany(TestServer server, URI uri, PeerCredentials credentials)
      throws IOException {
    try (var peers = new PeerClient(TestServer.LONG, TestServer.LONG, credentials);
        PeerResponse running = peers.get(uri, TestServer.LONG)) {
      for (int i = 0; i < MANY; i++) {
        try (PeerResponse call = peers.get(uri, TestServer.LONG)) {
          assertThat(call.body().read()).isEqualTo('a');
        }
      }
      assertThat(running.body().readNBytes(1 << 20)).hasSize(1 << 20);
      await().until(() -> server.metric(IN_FLIGHT) == 1);
    }
  }

  @Test
  void nodeWithTheKeyBreaksOffAnyNumberOfCallsOnOneConnection() throws IOException {
    try (TestServer server = withKey();
        var connections = new PeerConnections(Optional.empty(), new SimpleMeterRegistry())) {
      var credentials = new PeerCredentials(KEYS, connections);
      breakOffMany(server, server.uri(ApiPaths.STORE_SLICES), credentials);
      assertThat(server.metric(OPEN)).isEqualTo(1);
    }
  }

  @Test
  void nodeWithACertificateBreaksOffAnyNumberOfCallsOnOneConnection(@TempDir Path folder)
      throws Exception {
    var certificates = new Certificates(folder);
    try (NodeTls tls = certificates.open(new SimpleMeterRegistry());
        TestServer server =
            waiting(
                new TestServer(
                    options -> options.withTls(Optional.of(tls.httpPort("api", "no TLS")))));
        var connections =
            new PeerConnections(Optional.of(tls.client()), new SimpleMeterRegistry())) {
      URI uri = URI.create("https://localhost:" + server.port() + ApiPaths.STORE_SLICES);
      breakOffMany(server, uri, new PeerCredentials(NodeKeys.NONE, connections));
      assertThat(server.metric(OPEN)).isEqualTo(1);
    }
  }

  /** As do nodes of before. */
  @Test
  void nodeThatCannotShowWhatItIsGoesOnOnOtherConnections() throws IOException {
    try (TestServer server = waiting(new TestServer());
        var connections = new PeerConnections(Optional.empty(), new SimpleMeterRegistry())) {
      var credentials = new PeerCredentials(NodeKeys.NONE, connections);
      breakOffMany(server, server.uri(ApiPaths.STORE_SLICES), credentials);
    }
  }

  @Test
  void whatTheServerBreaksOffIsCountedAndWhatItsClientDoesIsNot() throws IOException {
    try (TestServer server = withKey();
        var peers =
            new PeerClient(
                TestServer.LONG, TestServer.LONG, new PeerCredentials(KEYS, Optional.empty()))) {
      server.routes.get(
          ApiPaths.STORE_BATCHES,
          (_, response) -> {
            response.body().write('a');
            response.body().flush();
            throw new IOException("the disk fails");
          });
      try (PeerResponse call = peers.get(server.uri(ApiPaths.STORE_SLICES), TestServer.LONG)) {
        assertThat(call.body().read()).isEqualTo('a');
      }
      try (PeerResponse call = peers.get(server.uri(ApiPaths.STORE_BATCHES), TestServer.LONG)) {
        assertThatThrownBy(() -> call.body().readAllBytes()).isInstanceOf(IOException.class);
      }
      await().until(() -> server.metric("cordwood_http_resets_total{client=\"node\"}") == 1);
      assertThat(server.metric("cordwood_http_resets_total")).isEqualTo(1);
    }
  }

  @Test
  void floodOfAStrangerEndsItsConnection() throws IOException {
    try (TestServer server = withKey();
        var stranger = new RawHttp2(server)) {
      int flags = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
      byte[] request = RawHttp2.request("GET", ApiPaths.STORE_SLICES);
      byte[] cancel = {0, 0, 0, CANCEL};
      try {
        for (int stream = 1; stream < 2 * MANY; stream += 2) {
          stranger.send(RawHttp2.HEADERS, flags, stream, request);
          stranger.send(RawHttp2.RST_STREAM, 0, stream, cancel);
        }
      } catch (IOException e) {
        return; // thrown out in the middle
      }
      stranger.awaitEnd();
    }
  }
}
