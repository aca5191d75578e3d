package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.membership.MembershipEvent;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Who is known, whatever comes when: a query that missed a node without a word would lie. */
final class PeersTest {
  private static final NodeInfo NODE = node("a", Role.INGEST);
  private static final Member MEMBER = new Member("m", null, "h:1", "cordwood-test");

  private final Memory memory = new Memory();
  private final DepartedNodes departed = new DepartedNodes(InstantSource.system(), memory);
  private final Peers peers =
      new Peers(
          "self",
          departed,
          memory,
          InstantSource.system(),
          GossipMetrics.in(new SimpleMeterRegistry()));

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

  @Test
  void wordsThatComeAfterAFarewellAreHeardAndTheNodeStaysGone() {
    join();
    leave();
    assertThat(gone()).containsExactly(NODE);
    NodeInfo loaded = NODE.withLoad(new NodeLoad(1, 2, 3, 4, 5));
    update(loaded);
    assertThat(peers.described()).isEmpty();
    assertThat(gone()).containsExactly(loaded);
    NodeInfo emptied = NODE.without(Role.INGEST);
    update(emptied);
    assertThat(gone()).containsExactly(emptied);
    remove();
    assertThat(gone()).containsExactly(emptied);
    update(loaded);
    assertThat(gone()).containsExactly(emptied);
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
