package io.cordwood.common.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Whoever reads waits for as long as that costs, and those who share a rate wait in turn. */
class RateLimitTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND); // The clock wraps around.
  private final RateLimit limit = new RateLimit(1000, now::get);

  @Test
  void bytesCostTheTimeThatTheyTakeAtTheRate() {
    assertThat(limit.nanosToWait(500)).isEqualTo(SECOND / 2);
  }

  @Test
  void costsAddUp() {
    assertThat(limit.nanosToWait(1000)).isEqualTo(SECOND);
    assertThat(limit.nanosToWait(1000)).isEqualTo(2 * SECOND);
    now.addAndGet(2 * SECOND);
    assertThat(limit.nanosToWait(1000)).isEqualTo(SECOND);
  }

  @Test
  void unusedTimeIsNotSavedUp() {
    now.addAndGet(100 * SECOND);
    assertThat(limit.nanosToWait(1000)).isEqualTo(SECOND);
  }

  @Test
  void unusedTimeIsSavedUpToTheCredit() {
    var saving = new RateLimit(1000, Duration.ofSeconds(1), now::get);
    now.addAndGet(100 * SECOND);
    assertThat(saving.nanosToWait(500)).isNegative();
    assertThat(saving.nanosToWait(500)).isZero();
    assertThat(saving.nanosToWait(500)).isEqualTo(SECOND / 2);
  }

  @Test
  void longRunKeepsTheRate() {
    long start = now.get();
    for (int read = 0; read < 10_000; read++) {
      now.addAndGet(limit.nanosToWait(7));
    }
    assertThat(now.get() - start).isEqualTo(70 * SECOND);
  }

  @Test
  void withoutALimitNothingCosts() {
    assertThat(new RateLimit(Long.MAX_VALUE, now::get).nanosToWait(Integer.MAX_VALUE)).isZero();
  }
}
