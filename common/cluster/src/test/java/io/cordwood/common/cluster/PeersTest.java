package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.membership.MembershipEvent;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Who is known, whatever comes when: a query that missed a node without a word would lie. */
final class PeersTest {
  private static final NodeInfo NODE = node("a", Role.INGEST);
  private static final Member MEMBER = new Member("m", null, "h:1", "cordwood-test");

  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private Instant now = NOON;
  private final Memory memory = new Memory();
  private final DepartedNodes departed = new DepartedNodes(() -> now, memory);
  private final Peers peers =
      new Peers("self", departed, memory, () -> now, GossipMetrics.in(new SimpleMeterRegistry()));

  private static ByteBuffer described(NodeInfo node) {
    return ByteBuffer.wrap(NodeInfoCodec.encode(node));
  }

  private void join() {
    peers.onEvent(MembershipEvent.createAdded(MEMBER, described(NODE), 0));
  }

  private void update(NodeInfo node) {
    peers.onEvent(MembershipEvent.createUpdated(MEMBER, described(NODE), described(node), 0));
  }

  private void leave() {
    peers.onEvent(MembershipEvent.createLeaving(MEMBER, described(NODE), 0));
  }

  private void remove() {
    peers.onEvent(MembershipEvent.createRemoved(MEMBER, described(NODE), 0));
  }

  private List<NodeInfo> gone() {
    return departed.all().stream().map(DepartedNode::node).toList();
  }

  /** It slept while the other gave up its role and left, and finds it silent. */
  @Test
  void whoSawANodeGiveUpItsRoleIsBelievedByOneThatFindsItGoneLater() {
    join();
    now = NOON.plusSeconds(5);
    update(loaded());
    now = NOON.plusSeconds(100);
    remove();
    assertThat(departed.all()).containsExactly(new DepartedNode(loaded(), "h:1", now, false, NOON));
    var seen = new DepartedNode(NODE.without(Role.INGEST), "h:1", NOON.plusSeconds(50), true);
    departed.learn(List.of(seen), Set.of());
    assertThat(departed.all()).containsExactly(seen);
  }

  @Test
  void whoFoundANodeWithItsRoleAgainDoesNotBelieveWhoSawItGiveThatUpBefore() {
    join();
    update(NODE.without(Role.INGEST));
    now = NOON.plusSeconds(100);
    update(NODE);
    remove();
    var before = new DepartedNode(NODE.without(Role.INGEST), "h:1", NOON.plusSeconds(50), true);
    departed.learn(List.of(before), Set.of());
    assertThat(departed.all()).containsExactly(new DepartedNode(NODE, "h:1", now, false));
  }

  private static NodeInfo loaded() {
    return NODE.withLoad(new NodeLoad(1, 2, 3, 4, 5));
  }

  @Test
  void wordsThatComeAfterAFarewellAreHeardAndTheNodeStaysGone() {
    join();
    leave();
    assertThat(gone()).containsExactly(NODE);
    update(loaded());
    assertThat(peers.described()).isEmpty();
    assertThat(gone()).containsExactly(loaded());
    NodeInfo emptied = NODE.without(Role.INGEST);
    update(emptied);
    assertThat(gone()).containsExactly(emptied);
    remove();
    assertThat(gone()).containsExactly(emptied);
    update(loaded());
    assertThat(gone()).containsExactly(emptied);
  }

  private void assertPresent(Set<String> addresses, List<String> telling, Set<String> nodeIds) {
    assertThat(peers.addresses()).isEqualTo(addresses);
    assertThat(peers.telling()).isEqualTo(telling);
    assertThat(peers.tells("h:1")).isEqualTo(telling.contains("h:1"));
    assertThat(peers.nodeIds()).isEqualTo(nodeIds);
  }

  @Test
  void whoIsPresentIsWhoIsPresentAfterEachEvent() {
    assertPresent(Set.of(), List.of(), Set.of("self"));
    peers.onEvent(MembershipEvent.createAdded(MEMBER, null, 0));
    assertPresent(Set.of("h:1"), List.of(), Set.of("self"));
    assertThat(peers.undescribed()).contains("h:1");
    update(NODE);
    assertPresent(Set.of("h:1"), List.of("h:1"), Set.of("self", "a"));
    assertThat(peers.undescribed()).isEmpty();
    update(loaded());
    assertPresent(Set.of("h:1"), List.of("h:1"), Set.of("self", "a"));
    assertThat(peers.described()).containsExactly(loaded());
    assertThat(peers.describedWithDuplicates()).containsExactly(loaded());
    assertThat(peers.listed()).extracting(ClusterView.Listed::node).containsExactly(loaded());
    update(node("b", Role.STORE));
    assertPresent(Set.of("h:1"), List.of("h:1"), Set.of("self", "b"));
    leave();
    assertPresent(Set.of("h:1"), List.of(), Set.of("self"));
    remove();
    assertPresent(Set.of(), List.of(), Set.of("self"));
  }

  @Test
  void nodeThatWasMetIsThereOrGoneAtEachMoment() throws InterruptedException {
    join();
    var over = new AtomicBoolean();
    Thread events =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                leave();
                update(NODE);
                remove();
                join();
              }
            });
    try {
      for (int i = 0; i < 20_000; i++) {
        List<NodeInfo> known =
            peers.between(() -> {
              List<NodeInfo> before = gone();
              return before.isEmpty() ? peers.described() : before;
            });
        assertThat(known).hasSize(1);
      }
    } finally {
      over.set(true);
      events.join();
    }
  }

  @Test
  void whoIsGoneAndNeverSaidWhoItIsInWordsOfThisVersionIsADoubt() {
    byte[] later = NodeInfoCodec.encode(NODE);
    later[0] = Byte.MAX_VALUE;
    peers.onEvent(MembershipEvent.createAdded(MEMBER, ByteBuffer.wrap(later), 0));
    assertThat(memory.past()).isEqualTo(MemberHistory.FRESH);
    remove();
    assertThat(memory.past()).isEqualTo(MemberHistory.LOST);
    assertThat(memory.doubt(List.of())).hasValueSatisfying(why -> assertThat(why).contains("h:1"));
  }
}
