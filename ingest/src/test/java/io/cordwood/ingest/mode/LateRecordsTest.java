package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.SegmentSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LateRecordsTest {
  private static final long WINDOW = SegmentSource.LATE.toMillis();

  private final AtomicLong now = new AtomicLong(1_000_000);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LateRecords late = new LateRecords(() -> Instant.ofEpochMilli(now.get()), registry);

  private double counted() {
    return registry.get("cordwood_ingest_late_records_total").counter().count();
  }

  @Test
  void whatIsWrittenWithinTheWindowIsNotLate() {
    late.add(now.get(), 3);
    late.add(now.get() - WINDOW, 4);
    late.written();
    assertThat(counted()).isZero();
  }

  @Test
  void whatIsOlderThanTheWindowIsLateAndNothingBesideIt() {
    late.add(now.get() - WINDOW - 1, 4);
    late.add(now.get(), 3);
    late.written();
    late.add(now.get(), 2);
    late.written();
    assertThat(counted()).isEqualTo(4);
  }

  @Test
  void whatHadToWaitForLongerThanTheWindowIsLate() {
    late.add(now.get(), 3);
    now.addAndGet(WINDOW + 1);
    late.written();
    late.add(now.get(), 5);
    late.written();
    assertThat(counted()).isEqualTo(3);
  }
}
