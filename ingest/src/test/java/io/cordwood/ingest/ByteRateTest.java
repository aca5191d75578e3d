package io.cordwood.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class ByteRateTest {
  private final AtomicLong nanos = new AtomicLong();
  private final ByteRate rate = new ByteRate(0, nanos::get);

  @Test
  void twoLooksInOneMomentSpoilNothing() {
    assertThat(rate.look(0)).isZero();
    assertThat(rate.look(10)).isFinite().isNotNegative();
    double last = 0;
    for (int second = 1; second <= 100; second++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      last = rate.look(10 + 1000 * second);
    }
    assertThat(last).isCloseTo(1000, Offset.offset(1.0));
  }
}
