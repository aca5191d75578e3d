package io.cordwood.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.store.RepairOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that nodes ask of each other they ask in HTTP/2, as the first bytes on the wire show. */
final class NodesSpeakHttp2Test {
  private static final RepairOptions OFTEN =
      RepairOptions.DEFAULT
          .withRepair(Duration.ofMillis(100), 64L << 20)
          .withSlice(Duration.ofMillis(500));

  /** Claims, pulls and their ends, copies, comparisons, queries, tails. */
  private static final List<String> PATHS =
      List.of(
          ApiPaths.INGEST_CLAIM,
          ApiPaths.INGEST_READ,
          ApiPaths.INGEST_COMMIT,
          ApiPaths.STORE_REPLICATE,
          ApiPaths.STORE_SLICES,
          ApiPaths.QUERY_TIER,
          ApiPaths.STREAM_TIER);

  @TempDir private Path folder;
  private final List<RecordingProxy> proxies = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (RecordingProxy proxy : proxies) {
      proxy.close();
    }
  }

  private int proxied(int port) {
    try {
      var proxy = new RecordingProxy(port);
      proxies.add(proxy);
      return proxy.port();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the nodes' clients said first, one a connection. */
  private List<String> liveCluster(Optional<NodeTls> tls) throws IOException {
    var shape = new LivingCluster.Shape(2, 2, 2, Duration.ofDays(7));
    var wires = new LivingCluster.Wires(tls, this::proxied, OFTEN);
    try (var cluster =
            new LivingCluster(folder.resolve("nodes"), shape, InstantSource.system(), wires);
        var person =
            new PeerClient(
                Patience.LONG,
                Patience.LONG,
                new PeerCredentials(NodeKeys.NONE, tls.map(NodeTls::client)))) {
      String node = (tls.isPresent() ? "https" : "http") + "://127.0.0.1:" + cluster.apiPort(0);
      try (PeerResponse tail = person.get(URI.create(node + "/stream"), Patience.LONG)) {
        await().until(() -> isTailed(cluster, tail));
      }
      await().until(() -> cluster.isConsumed(0) && cluster.isConsumed(1));
      try (PeerResponse answer = person.get(URI.create(node + "/query?last=1"), Patience.LONG)) {
        assertThat(answer.body().readAllBytes()).isNotEmpty();
      }
      for (String path : PATHS) {
        await().alias(path).until(() -> cluster.versionsOf(path), Set.of("2")::equals);
      }
    }
    return proxies.stream()
        .flatMap(proxy -> proxy.beginnings().stream())
        .map(bytes -> new String(bytes, ISO_8859_1))
        .toList();
  }

  /** Records that are sent to the other ingest node come in the tail of the first one. */
  private static boolean isTailed(LivingCluster cluster, PeerResponse tail) throws IOException {
    try (Sender sender = new Sender(cluster.senderPorts(1).getFirst())) {
      sender.send("a record\n").end();
    }
    return tail.body().available() > 0;
  }

  @Test
  void inClearText() throws IOException {
    assertThat(liveCluster(Optional.empty()))
        .hasSizeGreaterThanOrEqualTo(proxies.size())
        .allSatisfy(first -> assertThat(first).startsWith("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
  }

  /** They offer nothing else when they agree on a protocol, in the clear part of a handshake. */
  @Test
  void overTls() throws IOException {
    try (NodeTls tls = new Certificates(folder).open(new SimpleMeterRegistry())) {
      assertThat(liveCluster(Optional.of(tls)))
          .hasSizeGreaterThanOrEqualTo(proxies.size())
          .allSatisfy(first ->
              assertThat(first)
                  .startsWith("\u0016\u0003")
                  .contains("\0\u0010\0\u0005\0\u0003\u0002h2")
                  .doesNotContain("http/1.1"));
    }
  }
}
