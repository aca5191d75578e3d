package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that is away is waited for, but not forever. */
final class AwaitedStoresTest {
  private static final Duration BOUND = Duration.ofMinutes(10);

  private long nanos;
  private final AwaitedStores awaited = new AwaitedStores(BOUND, () -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @BeforeEach
  void startLongAgo() {
    pass(BOUND.plusSeconds(1));
  }

  @Test
  void afterAStartOthersMayStillBeStarting() {
    var fresh = new AwaitedStores(BOUND, () -> nanos);

    assertThat(fresh.note(List.of(), List.of())).isTrue();
    pass(BOUND);
    assertThat(fresh.note(List.of(), List.of())).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(fresh.note(List.of(), List.of())).isFalse();
  }

  @Test
  void whenAllAnswerNobodyIsWaitedFor() {
    assertThat(awaited.note(List.of("a", "b"), List.of("a", "b"))).isFalse();
  }

  @Test
  void aStoreThatVanishesIsWaitedForUntilTheBound() {
    awaited.note(List.of("a", "b"), List.of("a", "b"));
    pass(BOUND);
    assertThat(awaited.note(List.of("a"), List.of("a"))).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(awaited.note(List.of("a"), List.of("a"))).isFalse();
  }

  @Test
  void aStoreThatIsListedButNeverAnswersIsGivenUpForGood() {
    assertThat(awaited.note(List.of("a"), List.of())).isTrue();
    pass(BOUND.plusSeconds(1));
    assertThat(awaited.note(List.of("a"), List.of())).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(awaited.note(List.of("a"), List.of())).isFalse();
  }

  @Test
  void aStoreThatComesBackIsWaitedForAnewWhenItVanishesAgain() {
    awaited.note(List.of("a"), List.of("a"));
    pass(BOUND.plusSeconds(1));
    assertThat(awaited.note(List.of(), List.of())).isFalse();
    assertThat(awaited.note(List.of("a"), List.of("a"))).isFalse();
    pass(Duration.ofMinutes(1));
    assertThat(awaited.note(List.of(), List.of())).isTrue();
  }
}
