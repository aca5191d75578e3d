package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DepartedNodesTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private Instant now = NOON;
  private final Memory memory = new Memory();
  private final DepartedNodes departed = new DepartedNodes(() -> now, memory);

  private void left(NodeInfo node, String address, boolean saidSo) {
    departed.left(node, address, saidSo, now);
  }

  @Test
  void nodeThatCameBackIsForgotten() {
    left(node("a", Role.STORE), "h:1", true);
    left(node("b", Role.STORE), "h:2", false);
    departed.cameBack("a");
    assertThat(departed.all())
        .containsExactly(new DepartedNode(node("b", Role.STORE), "h:2", NOON, false));
  }

  @Test
  void nodeIsForgottenAfterADay() {
    left(node("a", Role.STORE), "h:1", false);
    now = NOON.plus(DepartedNodes.MEMORY);
    assertThat(departed.all()).hasSize(1);
    now = now.plus(Duration.ofMillis(1));
    assertThat(departed.all()).isEmpty();
  }

  /** Nobody else has what it has not handed over. */
  @Test
  void ingestNodeIsRememberedUntilItComesBackOrIsGivenUp() {
    left(node("a", Role.INGEST, Role.STORE), "h:1", false);
    left(node("b", Role.INGEST), "h:2", true);
    now = NOON.plus(Duration.ofDays(1000));
    assertThat(ids()).containsExactly("a", "b");
    departed.cameBack("a");
    assertThat(departed.giveUp("b")).isTrue();
    assertThat(departed.giveUp("never-seen")).isFalse();
    assertThat(departed.all()).containsExactly(new DepartedNode(node("b"), "h:2", now, true));
    now = now.plus(DepartedNodes.MEMORY).plusMillis(1);
    assertThat(ids()).isEmpty();
  }

  @Test
  void whoIsForgottenForLackOfRoomIsADoubtAndNoIngestNodeIfThereIsAnother() {
    memory.restore(whole(), "self");
    left(node("i0", Role.INGEST), "h:1", false);
    left(node("s1", Role.STORE), "h:1", false);
    left(node("none"), "h:1", true);
    IntStream.range(3, Memory.MAX_NODES)
        .forEach(i -> left(node("s" + i, Role.STORE), "h:1", false));
    assertThat(departed.all()).hasSize(Memory.MAX_NODES);
    left(node("x", Role.STORE), "h:1", false);
    assertThat(ids()).hasSize(Memory.MAX_NODES).doesNotContain("none").contains("s1");
    assertThat(memory.doubt(List.of())).isEmpty();
    left(node("y", Role.STORE), "h:1", false);
    assertThat(ids()).hasSize(Memory.MAX_NODES).doesNotContain("s1").contains("i0", "y");
    assertThat(memory.doubt(List.of()))
        .hasValueSatisfying(why -> assertThat(why).contains("more than 4096 nodes are gone"));
    assertThat(memory.forgotten()).isEqualTo(1);
    memory.nobodyElse();
    assertThat(memory.doubt(List.of())).isEmpty();
  }

  private static SavedMembers whole() {
    return new SavedMembers(
        MemberHistory.WHOLE, "", "", List.of(), Map.of(), Set.of(), Set.of(), Set.of());
  }

  private List<String> ids() {
    return departed.all().stream().map(gone -> gone.node().nodeId()).toList();
  }

  @Test
  void whatOthersRememberIsNewsIfItIsUnknownOrIfARoleWasGivenUpSince() {
    left(node("a", Role.INGEST), "h:1", false);
    var stale = new DepartedNode(node("b", Role.INGEST), "h:2", NOON, false, NOON.minusSeconds(9));
    departed.restore(List.of(stale));
    var early = new DepartedNode(node("a"), "h:1", NOON.minusSeconds(1), true);
    var late = new DepartedNode(node("b"), "h:2", NOON.minusSeconds(1), true);
    var again = new DepartedNode(node("a", Role.INGEST), "h:1", NOON.plusSeconds(1), false);
    var unknown = new DepartedNode(node("c", Role.STORE), "h:3", NOON, false);
    var living = new DepartedNode(node("d", Role.STORE), "h:4", NOON, false);
    departed.learn(List.of(early, late, again, unknown, living), Set.of("d"));
    assertThat(departed.all())
        .containsExactly(
            new DepartedNode(node("a", Role.INGEST), "h:1", NOON, false), late, unknown);
  }

  @Test
  void nodeThatGoesTwiceIsThereOnceAsLastSeen() {
    left(node("a", Role.STORE), "h:1", false);
    now = NOON.plusSeconds(1);
    left(node("a", Role.STORE), "h:9", false);
    assertThat(departed.all())
        .containsExactly(new DepartedNode(node("a", Role.STORE), "h:9", now, false));
  }
}
