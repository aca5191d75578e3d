package io.cordwood.ingest.mode;

import io.cordwood.common.segment.SegmentSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/**
 * Counts a connection's records that are written later after their ULIDs' time than {@link
 * SegmentSource#LATE}: those who read by position may be past them by then. For its thread.
 */
public final class LateRecords {
  private static final long LATE_MILLIS = SegmentSource.LATE.toMillis();

  private final InstantSource clock;
  private final Counter counter;
  private long oldestMillis = Long.MAX_VALUE;
  private int inTime;
  private int late;

  public LateRecords(InstantSource clock, MeterRegistry registry) {
    this.clock = clock;
    this.counter = registry.counter("cordwood_ingest_late_records_total");
  }

  /**
   * Takes note of a batch that is to be written next.
   *
   * @param millis of its ULIDs
   */
  public void add(long millis, int records) {
    if (isLate(millis)) {
      late += records;
    } else {
      inTime += records;
      oldestMillis = Math.min(oldestMillis, millis);
    }
  }

  /**
   * Counts, now that all of them are written. What had to wait for long is late with its oldest.
   */
  public void written() {
    if (inTime > 0 && isLate(oldestMillis)) {
      late += inTime;
    }
    if (late > 0) {
      counter.increment(late);
    }
    oldestMillis = Long.MAX_VALUE;
    inTime = 0;
    late = 0;
  }

  private boolean isLate(long millis) {
    return clock.millis() - millis > LATE_MILLIS;
  }
}
