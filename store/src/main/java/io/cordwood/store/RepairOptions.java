package io.cordwood.store;

import java.time.Duration;

/**
 * How a store looks after what it keeps.
 *
 * @param scrubBytesPerSecond most bytes of files that are read again to check them
 * @param scrubEvery how long after it was written or checked a segment is checked again
 * @param repairAfter how long a store may be away before its copies are made anew elsewhere; also
 *     how old records must be to be compared at all
 * @param repairBytesPerSecond most bytes, before compression, that are read for copies
 * @param slice length of the time slices by which stores compare what they hold; the same in all
 *     stores of a cluster
 */
public record RepairOptions(
    long scrubBytesPerSecond,
    Duration scrubEvery,
    Duration repairAfter,
    long repairBytesPerSecond,
    Duration slice) {
  public static final RepairOptions DEFAULT =
      new RepairOptions(
          4L << 20, Duration.ofDays(7), Duration.ofMinutes(10), 64L << 20, Duration.ofMinutes(10));

  private static final Duration LONGEST_PERIOD = Duration.ofMinutes(1);
  private static final int ROUNDS_PER_BOUND = 10;

  /**
   * @throws IllegalArgumentException if a bound makes no sense; the message names it
   */
  public RepairOptions {
    check(scrubBytesPerSecond > 0, "a scrub rate over 0", scrubBytesPerSecond);
    check(!scrubEvery.isNegative(), "a scrub period of 0 or more", scrubEvery);
    check(repairAfter.toMillis() >= ROUNDS_PER_BOUND, "repair after 10 ms or more", repairAfter);
    check(repairBytesPerSecond > 0, "a repair rate over 0", repairBytesPerSecond);
    check(slice.toMillis() > 0, "slices of 1 ms or more", slice);
  }

  private static void check(boolean holds, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException("store: expected " + expected + ", found " + found);
    }
  }

  /** How long to wait from one comparison of the stores to the next. */
  Duration repairPeriod() {
    Duration part = repairAfter.dividedBy(ROUNDS_PER_BOUND);
    return part.compareTo(LONGEST_PERIOD) < 0 ? part : LONGEST_PERIOD;
  }

  /** The same with another rate of scrubbing. */
  public RepairOptions withScrub(long bytesPerSecond, Duration every) {
    return new RepairOptions(bytesPerSecond, every, repairAfter, repairBytesPerSecond, slice);
  }

  /** The same with another bound and another rate of repair. */
  public RepairOptions withRepair(Duration after, long bytesPerSecond) {
    return new RepairOptions(scrubBytesPerSecond, scrubEvery, after, bytesPerSecond, slice);
  }

  /** The same with slices of another length. */
  public RepairOptions withSlice(Duration length) {
    return new RepairOptions(
        scrubBytesPerSecond, scrubEvery, repairAfter, repairBytesPerSecond, length);
  }
}
