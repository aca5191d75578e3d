package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.membership.MembershipEvent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class DuplicateNodeIdsTest {
  private static final Duration LONG = Nodes.QUICK.silence(3).multipliedBy(3);

  private Instant now = Instant.parse("2026-11-21T12:00:00Z");
  private final Peers peers =
      new Peers(
          "self",
          new DepartedNodes(() -> now, new Memory()),
          new Memory(),
          () -> now,
          GossipMetrics.in(new SimpleMeterRegistry()));
  private final DuplicateNodeIds duplicates = new DuplicateNodeIds(peers, Nodes.QUICK, () -> now);

  @Test
  void membersWithOneIdAreTwinsOnceThatLasts() {
    add("m1", "h:1", "copied");
    add("m2", "h:2", "copied");
    add("m3", "h:3", "other");
    assertThat(look()).isEmpty();
    now = now.plus(LONG);
    assertThat(look()).isEqualTo(Map.of("copied", Set.of("h:1", "h:2")));
  }

  @Test
  void memberWithThisNodesIdIsItsTwin() {
    add("m1", "h:1", "self");
    now = now.plus(LONG);
    assertThat(look()).isEqualTo(Map.of("self", Set.of("h:1", "here:1")));
  }

  @Test
  void nodeThatWasStartedAgainElsewhereIsNoTwinOfItself() {
    add("m1", "h:1", "moved");
    now = now.plus(LONG);
    add("m2", "h:2", "moved");
    now = now.plus(Nodes.QUICK.silence(2));
    assertThat(look()).isEmpty();
    remove("m1", "h:1");
    now = now.plus(LONG);
    assertThat(look()).isEmpty();
  }

  @Test
  void nodeThatWasStartedAgainOnItsAddressIsNoTwinOfItself() {
    add("m1", "h:1", "again");
    add("m2", "h:1", "again");
    now = now.plus(LONG);
    assertThat(look()).isEmpty();
  }

  @Test
  void twinThatIsGoneEndsIt() {
    add("m1", "h:1", "copied");
    add("m2", "h:2", "copied");
    now = now.plus(LONG);
    assertThat(look()).hasSize(1);
    remove("m2", "h:2");
    assertThat(look()).isEmpty();
  }

  private Map<String, Set<String>> look() {
    duplicates.look("self", "here:1");
    return duplicates.found();
  }

  private void add(String memberId, String address, String nodeId) {
    ByteBuffer metadata = ByteBuffer.wrap(NodeInfoCodec.encode(node(nodeId, Role.STORE)));
    peers.onEvent(MembershipEvent.createAdded(member(memberId, address), metadata, 0));
  }

  private void remove(String memberId, String address) {
    peers.onEvent(MembershipEvent.createRemoved(member(memberId, address), null, 0));
  }

  private static Member member(String id, String address) {
    return new Member(id, null, address, "cordwood-test");
  }
}
