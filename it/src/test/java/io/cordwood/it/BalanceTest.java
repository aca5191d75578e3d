package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.ClusterKeys;
import io.cordwood.common.cluster.ClusterOptions;
import io.cordwood.common.cluster.GossipTiming;
import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.cluster.SenderPorts;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.net.HostPort;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.IngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forwarders that know one of several real ingest nodes, which know each other by gossip. */
final class BalanceTest {
  private static final Duration LONG = Patience.LONG;

  @TempDir private Path folder;
  private int sent;

  /** An ingest node and its part in the gossip. */
  private record Member(IngestNode ingest, Cluster cluster, Path home) implements AutoCloseable {
    void publish() {
      cluster.load(ingest.load());
    }

    boolean receives() {
      return ingest.load().bytesPerSecond() > 0;
    }

    @Override
    public void close() throws IOException {
      cluster.close();
      ingest.close();
    }
  }

  private Member member(String id, Optional<NodeTls> tls, Admission admission, List<HostPort> seeds)
      throws IOException {
    var registry = new SimpleMeterRegistry();
    Path home = Files.createDirectories(folder.resolve(id));
    IngestOptions options =
        IngestOptions.in(home.resolve("ingest"))
            .withHandOver(Duration.ZERO)
            .with(new IngestOptions.Listening("127.0.0.1", 0, 0, 1).withTls(tls))
            .with(IngestOptions.Bulk.DEFAULT.withPort(0));
    IngestNode ingest =
        IngestNode.start(options, admission, Filesystem.real(), registry, InstantSource.system());
    ingest.startTaking();
    NodeInfo self =
        new NodeInfo(id, Set.of(Role.INGEST), "localhost", ingest.bulkPort(), 0, NodeLoad.NONE)
            .withSenderPorts(new SenderPorts(ingest.fastPort(), ingest.durablePort()));
    Cluster cluster =
        Cluster.start(
            self,
            new ClusterOptions(
                new HostPort("127.0.0.1", 0),
                "127.0.0.1",
                seeds,
                "balance",
                ClusterKeys.NONE,
                GossipTiming.LOCAL,
                Optional.empty()),
            registry);
    ingest.tellSendersOf(id, () -> cluster.members(Role.INGEST));
    return new Member(ingest, cluster, home);
  }

  private ForwarderOptions.Builder options(Target target) {
    return ForwarderOptions.builder().target(target).connectTimeout(LONG).ackTimeout(LONG);
  }

  private void send(List<Forwarder> forwarders) {
    for (Forwarder forwarder : forwarders) {
      assertThat(forwarder.send(("record " + sent++).getBytes(StandardCharsets.US_ASCII))).isTrue();
    }
  }

  private void assertEachRecordIsOnOneNode(List<Path> homes) throws IOException {
    Set<String> records = new HashSet<>();
    int count = 0;
    for (Path home : homes) {
      Map<Ulid, String> found = InProcessNode.recovered(home);
      assertThat(found).isNotEmpty();
      count += found.size();
      records.addAll(found.values());
    }
    assertThat(count).isEqualTo(sent);
    assertThat(records).hasSize(sent);
  }

  @Test
  void forwardersThatAllKnowTheSameNodeSpreadOverTheOthers() throws IOException {
    List<Path> homes = new ArrayList<>();
    List<Forwarder> forwarders = new ArrayList<>();
    try (Member first = member("a", Optional.empty(), Admission.OPEN, List.of());
        Member second = member("b", Optional.empty(), Admission.OPEN, seeds(first));
        Member third = member("c", Optional.empty(), Admission.OPEN, seeds(first))) {
      List<Member> members = List.of(first, second, third);
      members.forEach(member -> homes.add(member.home()));
      Target known = new Target("127.0.0.1", first.ingest().durablePort());
      for (int i = 0; i < 8; i++) {
        forwarders.add(Forwarder.start(options(known).build(), ForwarderListener.NONE));
      }
      await()
          .until(() -> {
            members.forEach(Member::publish);
            send(forwarders);
            return second.receives() && third.receives();
          });
      send(forwarders);
      for (Forwarder forwarder : forwarders) {
        assertThat(forwarder.close(LONG).isNothing()).isTrue();
        assertThat(forwarder.counters().handling().resentRecords()).isZero();
        assertThat(forwarder.counters().connections().disconnects()).isZero();
      }
    } finally {
      forwarders.forEach(forwarder -> forwarder.close(Duration.ZERO));
    }
    assertEachRecordIsOnOneNode(homes);
  }

  private static List<HostPort> seeds(Member first) {
    return List.of(new HostPort("127.0.0.1", first.cluster().port()));
  }

  @Test
  void aForwarderGoesOnWithItsTokenAndItsTlsToANodeThatIsAdvertisedByName() throws Exception {
    Certificates certificates = new Certificates(folder.resolve("tls"));
    String text = TokenText.random();
    Path file = folder.resolve("tokens");
    TokenFile.write(file, List.of(token(text)));
    var registry = new SimpleMeterRegistry();
    List<Path> homes;
    try (NodeTls tls = certificates.open(registry);
        Tokens tokens = Tokens.of(file, InstantSource.system(), registry)) {
      var admission = new Admission(tokens, new Refusals(registry, AuditLog.NONE), false, LONG);
      try (Member first = member("a", Optional.of(tls), admission, List.of());
          Member second = member("b", Optional.of(tls), admission, seeds(first))) {
        homes = List.of(first.home(), second.home());
        ForwarderOptions options =
            options(new Target("127.0.0.1", first.ingest().durablePort(), true))
                .tlsAuthorities(certificates.node().resolve("ca.pem"))
                .token(text)
                .build();
        List<Forwarder> forwarders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          forwarders.add(Forwarder.start(options, ForwarderListener.NONE));
        }
        await()
            .until(() -> {
              first.publish();
              second.publish();
              send(forwarders);
              return second.receives()
                  && forwarders.stream().anyMatch(f -> f.counters().connections().moves() > 0);
            });
        send(forwarders);
        for (Forwarder forwarder : forwarders) {
          assertThat(forwarder.close(LONG).isNothing()).isTrue();
        }
      }
    }
    assertEachRecordIsOnOneNode(homes);
  }

  private static Token token(String text) {
    return Token.of("sender", text, Set.of(Scope.INGEST), new TopicPatterns(List.of("default")));
  }
}
