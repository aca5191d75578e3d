package io.cordwood.jmh.load;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The bytes acknowledged within the measured time, or sent if nothing is acknowledged. Owned by the
 * senders' thread.
 */
final class Tally {
  private static final int DIGITS = 3;

  private final Histogram latencies = new Histogram(DIGITS);
  private final long startNanos;
  private final long endNanos;
  private long groups;
  private long records;
  private long bytes;

  Tally(long startNanos, long endNanos) {
    this.startNanos = startNanos;
    this.endNanos = endNanos;
  }

  /** Whether the measured time is over. */
  boolean over(long now) {
    return now - endNanos >= 0;
  }

  /** Counts a group that was begun to be sent at one time, and is done now. */
  void done(Groups.Group group, long sentNanos, long now) {
    if (now - startNanos < 0 || over(now)) {
      return;
    }
    groups++;
    records += group.records();
    bytes += group.bytes();
    latencies.recordValue(now - sentNanos);
  }

  /** One figure a line: its name, its value. Latencies are 0 if nothing is acknowledged. */
  String report() {
    double seconds = (endNanos - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    return """
    groups %d
    records %d
    bytes %d
    mb_per_s %.2f
    ack_p50_ms %.3f
    ack_p99_ms %.3f
    ack_max_ms %.3f\
    """
        .formatted(
            groups,
            records,
            bytes,
            bytes / seconds / 1e6,
            latencies.getValueAtPercentile(50) / 1e6,
            latencies.getValueAtPercentile(99) / 1e6,
            latencies.getMaxValue() / 1e6);
  }
}
