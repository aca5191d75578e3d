package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DeparturesTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private Instant now = NOON;
  private final Departures departures = new Departures(() -> now);

  @Test
  void nodeThatCameBackIsForgotten() {
    departures.left(node("a", Role.STORE), "h:1", true);
    departures.left(node("b", Role.STORE), "h:2", false);
    departures.cameBack("a");
    assertThat(departures.all())
        .containsExactly(new DepartedNode(node("b", Role.STORE), "h:2", NOON, false));
  }

  @Test
  void nodeIsForgottenAfterADay() {
    departures.left(node("a", Role.STORE), "h:1", false);
    now = NOON.plus(Departures.MEMORY);
    assertThat(departures.all()).hasSize(1);
    now = now.plus(Duration.ofMillis(1));
    assertThat(departures.all()).isEmpty();
  }

  @Test
  void oldestIsForgottenWhenThereAreTooMany() {
    IntStream.rangeClosed(0, Departures.MAX_NODES)
        .forEach(i -> departures.left(node("n" + i, Role.STORE), "h:1", false));
    assertThat(departures.all()).hasSize(Departures.MAX_NODES);
    assertThat(departures.all().getFirst().node().nodeId()).isEqualTo("n1");
  }

  @Test
  void nodeThatGoesTwiceIsThereOnceAsLastSeen() {
    departures.left(node("a", Role.STORE), "h:1", false);
    now = NOON.plusSeconds(1);
    departures.left(node("a", Role.STORE), "h:9", false);
    assertThat(departures.all())
        .containsExactly(new DepartedNode(node("a", Role.STORE), "h:9", now, false));
  }
}
