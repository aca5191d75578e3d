package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that is away is waited for, but not forever. */
final class PeerLivenessTest {
  private static final Duration BOUND = Duration.ofMinutes(10);

  private long nanos;
  private final PeerLiveness liveness = new PeerLiveness(BOUND, () -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @BeforeEach
  void startLongAgo() {
    pass(BOUND.plusSeconds(1));
  }

  @Test
  void afterAStartOthersMayStillBeStarting() {
    var fresh = new PeerLiveness(BOUND, () -> nanos);

    assertThat(fresh.note(List.of(), List.of())).isTrue();
    pass(BOUND);
    assertThat(fresh.note(List.of(), List.of())).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(fresh.note(List.of(), List.of())).isFalse();
  }

  @Test
  void whenAllAnswerNobodyIsWaitedFor() {
    assertThat(liveness.note(List.of("a", "b"), List.of("a", "b"))).isFalse();
  }

  @Test
  void aStoreThatVanishesIsWaitedForUntilTheBound() {
    liveness.note(List.of("a", "b"), List.of("a", "b"));
    pass(BOUND);
    assertThat(liveness.note(List.of("a"), List.of("a"))).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(liveness.note(List.of("a"), List.of("a"))).isFalse();
  }

  @Test
  void aStoreThatIsListedButNeverAnswersIsGivenUpForGood() {
    assertThat(liveness.note(List.of("a"), List.of())).isTrue();
    pass(BOUND.plusSeconds(1));
    assertThat(liveness.note(List.of("a"), List.of())).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(liveness.note(List.of("a"), List.of())).isFalse();
  }

  @Test
  void aStoreThatComesBackIsWaitedForAnewWhenItVanishesAgain() {
    liveness.note(List.of("a"), List.of("a"));
    pass(BOUND.plusSeconds(1));
    assertThat(liveness.note(List.of(), List.of())).isFalse();
    assertThat(liveness.note(List.of("a"), List.of("a"))).isFalse();
    pass(Duration.ofMinutes(1));
    assertThat(liveness.note(List.of(), List.of())).isTrue();
  }
}
