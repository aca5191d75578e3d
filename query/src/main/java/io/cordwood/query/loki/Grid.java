package io.cordwood.query.loki;

import io.cordwood.common.ulid.UlidRange;
import java.time.Duration;
import java.util.Optional;

/** Points of time, in nanoseconds, each of which sums up what was in a range before it. */
record Grid(long startNanos, long stepNanos, int points) {
  /** The most of one series, as of Loki. */
  static final int MAX_POINTS = 11_000;

  static Grid at(long nanos) {
    return new Grid(nanos, 1, 1);
  }

  /** The points by some time earlier, or later if that is negative; none is later than any time. */
  Grid before(Duration offset) {
    long shift = Math.max(offset.toNanos(), nanos(points - 1) - LokiTime.MAX_NANOS);
    return new Grid(startNanos - shift, stepNanos, points);
  }

  long nanos(int point) {
    return startNanos + point * stepNanos;
  }

  /** The first point to which a record counts; may be after the last. */
  int first(long millis) {
    long from = millis * LokiTime.NANOS_OF_MILLI - startNanos;
    return Math.clamp(Math.ceilDiv(from, stepNanos), 0, points);
  }

  /** The last point to which it counts; may be before the first. */
  int last(long millis, Duration range) {
    long to = millis * LokiTime.NANOS_OF_MILLI + range.toNanos() - 1 - startNanos;
    return Math.clamp(Math.floorDiv(to, stepNanos), -1, points - 1);
  }

  /** Records that count to a point; empty if there can be none. */
  Optional<UlidRange> records(Duration range) {
    long last = nanos(points - 1);
    return LokiTime.ofMillis(
        Math.floorDiv(startNanos - range.toNanos(), LokiTime.NANOS_OF_MILLI) + 1,
        Math.floorDiv(last, LokiTime.NANOS_OF_MILLI));
  }
}
