package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DepartedNodesTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private Instant now = NOON;
  private final DepartedNodes departed = new DepartedNodes(() -> now);

  @Test
  void nodeThatCameBackIsForgotten() {
    departed.left(node("a", Role.STORE), "h:1", true);
    departed.left(node("b", Role.STORE), "h:2", false);
    departed.cameBack("a");
    assertThat(departed.all())
        .containsExactly(new DepartedNode(node("b", Role.STORE), "h:2", NOON, false));
  }

  @Test
  void nodeIsForgottenAfterADay() {
    departed.left(node("a", Role.STORE), "h:1", false);
    now = NOON.plus(DepartedNodes.MEMORY);
    assertThat(departed.all()).hasSize(1);
    now = now.plus(Duration.ofMillis(1));
    assertThat(departed.all()).isEmpty();
  }

  @Test
  void oldestIsForgottenWhenThereAreTooMany() {
    IntStream.rangeClosed(0, DepartedNodes.MAX_NODES)
        .forEach(i -> departed.left(node("n" + i, Role.STORE), "h:1", false));
    assertThat(departed.all()).hasSize(DepartedNodes.MAX_NODES);
    assertThat(departed.all().getFirst().node().nodeId()).isEqualTo("n1");
  }

  @Test
  void nodeThatGoesTwiceIsThereOnceAsLastSeen() {
    departed.left(node("a", Role.STORE), "h:1", false);
    now = NOON.plusSeconds(1);
    departed.left(node("a", Role.STORE), "h:9", false);
    assertThat(departed.all())
        .containsExactly(new DepartedNode(node("a", Role.STORE), "h:9", now, false));
  }
}
