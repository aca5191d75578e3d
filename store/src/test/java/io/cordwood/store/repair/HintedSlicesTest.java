package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What queries missed is remembered, within bounds, until repair looks. */
final class HintedSlicesTest {
  private static final Instant SETTLED = Instant.ofEpochMilli(5_000_500);
  private static final Duration LONG = Patience.LONG;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final HintedSlices hinted =
      new HintedSlices(Duration.ofSeconds(1), () -> SETTLED, new RepairMetrics(registry));

  private static UlidRange range(long fromMillis, long toMillis) {
    return new UlidRange(Ulid.firstOf(fromMillis), Ulid.lastOf(toMillis));
  }

  private double counted(String outcome) {
    var counter = registry.find("cordwood.store.repair.hints").tag("outcome", outcome).counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void allSlicesOfARangeAreTakenOnceTheNewestFirst() {
    hinted.add(range(1_500, 3_200));
    hinted.add(range(2_000, 2_000));

    assertThat(hinted.take()).containsExactly(3L, 2L, 1L);
    assertThat(hinted.take()).isEmpty();
    assertThat(counted("taken")).isEqualTo(2);
  }

  @Test
  void whatMayStillBeOnItsWayIsLeft() {
    hinted.add(range(5_000_100, 5_000_200));
    hinted.add(range(4_999_900, 5_000_200));

    assertThat(hinted.take()).containsExactly(4_999L);
    assertThat(counted("young")).isEqualTo(1);
  }

  @Test
  void moreThanTheMostIsDroppedAndCounted() {
    hinted.add(range(0, 4_999_999));
    hinted.add(range(1_000, 1_000));

    assertThat(hinted.take()).hasSize(HintedSlices.MAX_SLICES).contains(4_999L).doesNotContain(1L);
    assertThat(counted("full")).isEqualTo(2);
  }

  @Test
  void waitIsOverWithAHint() throws Exception {
    var waiting = CompletableFuture.runAsync(this::await);
    hinted.add(range(1_000, 1_000));

    waiting.get(LONG.toSeconds() / 2, TimeUnit.SECONDS);
    assertThat(hinted.take()).containsExactly(1L);
  }

  @Test
  void waitIsOverWithTheEnd() throws Exception {
    var waiting = CompletableFuture.runAsync(this::await);
    hinted.end();

    waiting.get(LONG.toSeconds() / 2, TimeUnit.SECONDS);
    assertThat(hinted.take()).isEmpty();
  }

  private void await() {
    try {
      hinted.await(LONG);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
