package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.wire.Load;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How often a forwarder follows hints, and how often it tries an address that it cannot reach. */
final class MoveBackoffTest {
  private static final long HOUR_NANOS = MoveBackoff.MAX_STAY_NANOS;
  private static final Target FAR = new Target("far", 7652);

  private long now = 12345;

  @Test
  void whoIsSentFromNodeToNodeStaysLongerEachTime() {
    MoveBackoff pace = new MoveBackoff(() -> now);
    assertThat(pace.mayLook()).isTrue();
    int moves = 0;
    for (long end = now + 24 * HOUR_NANOS; now < end; now += MoveBackoff.MIN_RETRY_NANOS) {
      if (pace.mayLook()) {
        pace.moved();
        moves++;
      }
    }
    assertThat(moves).isBetween(24, 45);
  }

  @Test
  void aForwarderThatStayedForLongGoesSoonAgain() {
    MoveBackoff pace = new MoveBackoff(() -> now);
    for (int i = 0; i < 10; i++) {
      pace.moved();
      now += HOUR_NANOS;
    }
    now += 4 * HOUR_NANOS;
    pace.moved();
    assertThat(pace.mayLook()).isFalse();
    now += MoveBackoff.MIN_STAY_NANOS;
    assertThat(pace.mayLook()).isTrue();
  }

  @Test
  void looksThatComeToNothingBecomeRare() {
    MoveBackoff pace = new MoveBackoff(() -> now);
    int looks = 0;
    for (long end = now + HOUR_NANOS; now < end; now += MoveBackoff.MIN_RETRY_NANOS / 4) {
      if (pace.mayLook()) {
        pace.failed();
        looks++;
      }
    }
    assertThat(looks).isBetween(10, 20);
  }

  @Test
  void anAddressThatCannotBeReachedIsTriedOnceInAWhile() {
    LearnedNodes nodes = new LearnedNodes(() -> now);
    int tries = 0;
    for (long end = now + 24 * HOUR_NANOS; now < end; now += LearnedNodes.MIN_ASIDE_NANOS / 4) {
      if (nodes.isUsable(FAR)) {
        nodes.failed(FAR);
        tries++;
      }
    }
    assertThat(tries).isBetween(24, 40);
    nodes.worked(FAR);
    assertThat(nodes.isUsable(FAR)).isTrue();
  }

  @Test
  void fewNodesAreKeptAndThoseThatNobodyTellsOfAreForgotten() {
    LearnedNodes nodes = new LearnedNodes(() -> now);
    assertThat(nodes.learn(told(0, 1000))).isEqualTo(1000 - LearnedNodes.MAX);
    assertThat(nodes.some(1000, Set.of())).hasSize(LearnedNodes.MAX);
    now += LearnedNodes.MEMORY_NANOS + 1;
    assertThat(nodes.some(1000, Set.of())).isEmpty();
    assertThat(nodes.learn(told(2000, 3))).isZero();
    assertThat(nodes.some(1000, Set.of(new Target("host2001", 1))))
        .containsExactly(new Target("host2000", 1), new Target("host2002", 1));
    assertThat(nodes.some(1, Set.of())).containsExactly(new Target("host2000", 1));
  }

  private static Map<String, AdvertisedNodes.Other> told(int from, int count) {
    Map<String, AdvertisedNodes.Other> told = new HashMap<>();
    for (int i = from; i < from + count; i++) {
      Load load = new Load(i, 0, 0, 0);
      told.put("n" + i, new AdvertisedNodes.Other("n" + i, new Target("host" + i, 1), load));
    }
    return told;
  }
}
