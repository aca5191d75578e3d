package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.eventually;
import static io.cordwood.common.cluster.Nodes.ids;
import static io.cordwood.common.cluster.Nodes.node;
import static io.cordwood.common.cluster.Nodes.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.GossipFormatException.Reason;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clusters with keys, on real sockets: who sees whom, and what a stranger can do without one. */
final class KeyedClusterTest {
  private static final ClusterKey OLD = key(1);
  private static final ClusterKey NEW = key(2);
  private static final byte[] PING = Frames.of(MessageKind.PING);

  private final Nodes nodes = new Nodes();
  private final Network network = new Network();

  @AfterEach
  void closeAll() throws IOException {
    network.close();
    nodes.close();
  }

  @Test
  void nodesWithOneKeySeeEachOther() throws IOException {
    Cluster a = start("a", keys(OLD));
    Cluster b = start("b", keys(OLD), a);
    see(List.of("a", "b"), a, b);
    assertThat(a.view().self().keyIds()).containsExactly(OLD.id());
  }

  @Test
  void wireShowsWhatIsSaidWithoutAKeyAndNothingOfItWithOne() throws IOException {
    Cluster a = startOnNetwork("a", ClusterKeys.NONE);
    Cluster b = startOnNetwork("b", ClusterKeys.NONE, a);
    see(List.of("a", "b"), a, b);
    assertThat(network.seen()).contains("cordwood-test").contains("127.0.0.1:" + b.port());
    Network secret = new Network();
    try (secret) {
      Cluster c = startOn(secret, "c", keys(OLD));
      Cluster d = startOn(secret, "d", keys(OLD), c);
      see(List.of("c", "d"), c, d);
      assertThat(secret.seen()).hasSizeGreaterThan(1000).doesNotContain("cordwood-", "127.0.0.1");
    }
  }

  @Test
  void otherKeyIsRefusedAndCounted() throws IOException {
    Cluster a = start("a", keys(OLD));
    Cluster b = start("b", keys(NEW), a);
    eventually().until(() -> nodes.refused(Reason.OTHER_KEY) >= 1);
    staysAlone(a, b);
    eventually()
        .untilAsserted(() ->
            assertThat(b.view().seeds())
                .extracting(ClusterView.Seed::trouble)
                .containsExactly("expected a key of [" + NEW.id() + "], found [" + OLD.id() + "]"));
  }

  @Test
  void nodeWithoutAKeyIsRefusedByOneWithAKey() throws IOException {
    Cluster a = start("a", keys(OLD));
    Cluster b = start("b", ClusterKeys.NONE, a);
    eventually().until(() -> nodes.refused(Reason.PEER_HAS_NO_KEY) >= 1);
    staysAlone(a, b);
  }

  @Test
  void nodeWithAKeyIsRefusedByOneWithout() throws IOException {
    Cluster a = start("a", ClusterKeys.NONE);
    Cluster b = start("b", keys(OLD), a);
    eventually().until(() -> nodes.refused(Reason.ONLY_PEER_HAS_KEY) >= 1);
    staysAlone(a, b);
  }

  @Test
  void otherClusterNameIsRefusedWhateverTheKey() throws IOException {
    Cluster a = start("a", keys(OLD));
    Cluster x =
        nodes.start(
            node("x", Role.STORE), options("other", keys(OLD), 0, a.port()), new GossipCodec());
    eventually().until(() -> nodes.refused(Reason.OTHER_CLUSTER) >= 1);
    staysAlone(a, x);
  }

  @Test
  void keyIsChangedNodeByNode() throws IOException {
    Cluster a = start("a", keys(OLD));
    Cluster b = start("b", keys(NEW, OLD), a);
    see(List.of("a", "b"), a, b);
    a.close();
    Cluster again = start("a", keys(NEW, OLD), b);
    see(List.of("a", "b"), again, b);
    b.close();
    Cluster last = start("b", keys(NEW), again);
    see(List.of("a", "b"), again, last);
  }

  @Test
  void strangerWithTheKeyIsHeardAndItsRecordingIsNot() throws IOException {
    Cluster a = start("a", keys(OLD));
    Introduction answer = Introduction.of("test", List.of(OLD.id()));
    byte[] sealed;
    try (Stranger member = new Stranger(a.port())) {
      sealed = seal(OLD, member.greeting(), answer).seal(PING);
      member.frame(answer.bytes()).frame(sealed);
      eventually()
          .until(() -> nodes.registry.counter("cordwood.cluster.frames.received").count() >= 1);
      assertThat(member.frame(sealed).isRefused()).isTrue();
      assertThat(nodes.refused(Reason.BROKEN_SEAL)).isEqualTo(1);
    }
    try (Stranger recording = new Stranger(a.port())) {
      assertThat(recording.frame(answer.bytes()).frame(sealed).isRefused()).isTrue();
    }
    assertThat(nodes.refused(Reason.BROKEN_SEAL)).isEqualTo(2);
    assertThat(nodes.registry.counter("cordwood.cluster.frames.received").count()).isOne();
  }

  @Test
  void strangerWhoOnlyKnowsTheIdOfTheKeyIsRefused() throws IOException {
    Cluster a = start("a", keys(OLD));
    Introduction answer = Introduction.of("test", List.of(OLD.id()));
    for (byte[] frame : List.of(PING, new byte[0], new byte[100])) {
      try (Stranger stranger = new Stranger(a.port())) {
        assertThat(stranger.frame(answer.bytes()).frame(frame).isRefused()).isTrue();
      }
    }
    try (Stranger stranger = new Stranger(a.port())) {
      byte[] sealed = seal(NEW, stranger.greeting(), answer).seal(PING);
      assertThat(stranger.frame(answer.bytes()).frame(sealed).isRefused()).isTrue();
    }
    assertThat(nodes.refused(Reason.BROKEN_SEAL)).isEqualTo(4);
  }

  private static FrameSeal seal(ClusterKey key, Introduction greeting, Introduction answer) {
    byte[] context =
        Arrays.copyOf(greeting.bytes(), greeting.bytes().length + answer.bytes().length);
    System.arraycopy(answer.bytes(), 0, context, greeting.bytes().length, answer.bytes().length);
    return new FrameSeal(key.forConnection(context));
  }

  /** Both do what makes nodes meet for some rounds, and still see nobody. */
  private void staysAlone(Cluster a, Cluster b) throws IOException {
    Cluster friend = start("f", keys(keysOf(a)), a);
    see(List.of("a", "f"), a, friend);
    assertThat(b.view().others()).isEmpty();
  }

  private static ClusterKey[] keysOf(Cluster a) {
    return a.view().self().keyIds().isEmpty() ? new ClusterKey[0] : new ClusterKey[] {OLD};
  }

  private static void see(List<String> expected, Cluster... clusters) {
    for (Cluster each : clusters) {
      eventually().untilAsserted(() -> assertThat(ids(each, Role.STORE)).isEqualTo(expected));
    }
  }

  private Cluster start(String id, ClusterKeys keys, Cluster... seeds) throws IOException {
    return nodes.start(
        node(id, Role.STORE), options("test", keys, 0, ports(seeds)), new GossipCodec());
  }

  private Cluster startOnNetwork(String id, ClusterKeys keys, Cluster... seeds) throws IOException {
    return startOn(network, id, keys, seeds);
  }

  private Cluster startOn(Network on, String id, ClusterKeys keys, Cluster... seeds)
      throws IOException {
    Cluster started =
        nodes.start(
            node(id, Role.STORE), options("test", keys, 0, ports(seeds)), on.resolverOf(id));
    on.add(id, started.port());
    return started;
  }

  private static int[] ports(Cluster... seeds) {
    return Arrays.stream(seeds).mapToInt(Cluster::port).toArray();
  }

  private static ClusterKeys keys(ClusterKey... keys) {
    return new ClusterKeys(List.of(keys));
  }

  private static ClusterKey key(int first) {
    byte[] bytes = new byte[ClusterKey.BYTES];
    bytes[0] = (byte) first;
    return new ClusterKey(bytes);
  }
}
