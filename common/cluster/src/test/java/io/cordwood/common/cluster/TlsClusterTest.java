package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gossip between nodes that show each other certificates. */
final class TlsClusterTest {
  @TempDir private Path folder;

  private static ClusterOptions options(Optional<NodeTls> tls, int... seeds) {
    return Nodes.options("test", 0, seeds).withTls(tls);
  }

  @Test
  void aClientsCertificateOfTheSameAuthorityIsNoNodes() throws Exception {
    var certificates = new Certificates(folder);
    try (NodeTls tls = certificates.open(new SimpleMeterRegistry());
        Nodes nodes = new Nodes()) {
      Cluster first =
          nodes.start(Nodes.node("a", Role.INGEST), options(Optional.of(tls)), new GossipCodec());
      try (var connection = new Socket(InetAddress.getLoopbackAddress(), first.port());
          var client = certificates.client().secure(connection, "localhost")) {
        client.setSoTimeout(60_000);
        assertThat(client.getInputStream().read()).isNegative();
      }
      assertThat(nodes.registry.get("cordwood.cluster.connections.refused").counter().count())
          .isEqualTo(1);
    }
  }

  @Test
  void nodesOfAnotherAuthorityStayOut() throws Exception {
    var meters = new SimpleMeterRegistry();
    var certificates = new Certificates(folder);
    try (NodeTls tls = certificates.open(meters);
        NodeTls other = new Certificates(folder).open(meters);
        Nodes nodes = new Nodes()) {
      Cluster first =
          nodes.start(Nodes.node("a", Role.INGEST), options(Optional.of(tls)), new GossipCodec());
      Cluster stranger =
          nodes.start(
              Nodes.node("x", Role.STORE),
              options(Optional.of(other), first.port()),
              new GossipCodec());
      Cluster plain =
          nodes.start(
              Nodes.node("p", Role.STORE),
              options(Optional.empty(), first.port()),
              new GossipCodec());
      Cluster second =
          nodes.start(
              Nodes.node("b", Role.STORE),
              options(Optional.of(tls), first.port()),
              new GossipCodec());
      Nodes.eventually()
          .untilAsserted(() -> assertThat(Nodes.ids(first, Role.STORE)).isEqualTo(List.of("b")));
      Nodes.eventually()
          .untilAsserted(() -> assertThat(Nodes.ids(second, Role.INGEST)).isEqualTo(List.of("a")));
      assertThat(Nodes.ids(stranger, Role.INGEST)).isEmpty();
      assertThat(Nodes.ids(plain, Role.INGEST)).isEmpty();
      assertThat(Nodes.ids(first, Role.STORE)).isEqualTo(List.of("b"));
    }
  }
}
