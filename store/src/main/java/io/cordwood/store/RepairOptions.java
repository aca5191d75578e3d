package io.cordwood.store;

import io.cordwood.common.segment.SliceSums;
import java.time.Duration;

/**
 * How a store checks and repairs its records.
 *
 * @param scrubBytesPerSecond most bytes of files that are read again to check them
 * @param scrubEvery how long after it was written or checked a segment is checked again
 * @param repairAfter how long a store may be away before its copies are made again elsewhere; also
 *     how old records must be to be compared at all
 * @param repairEvery how long to wait from one comparison of the stores to the next
 * @param repairBytesPerSecond most bytes, before compression, that are read for copies
 * @param slice length of the time slices by which stores compare what they hold; the same in all
 *     stores of a cluster
 */
public record RepairOptions(
    long scrubBytesPerSecond,
    Duration scrubEvery,
    Duration repairAfter,
    Duration repairEvery,
    long repairBytesPerSecond,
    Duration slice) {
  public static final RepairOptions DEFAULT =
      new RepairOptions(
          4L << 20,
          Duration.ofDays(7),
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          64L << 20,
          Duration.ofMillis(SliceSums.USUAL_MILLIS));

  private static final int ROUNDS_PER_BOUND = 10;

  /**
   * @throws IllegalArgumentException if a bound makes no sense; the message names it
   */
  public RepairOptions {
    OptionBounds.check(scrubBytesPerSecond > 0, "a scrub rate over 0", scrubBytesPerSecond);
    OptionBounds.check(!scrubEvery.isNegative(), "a scrub period of 0 or more", scrubEvery);
    OptionBounds.check(
        repairAfter.toMillis() >= ROUNDS_PER_BOUND, "repair after 10 ms or more", repairAfter);
    OptionBounds.check(
        repairEvery.isPositive(), "a wait between repairs of more than 0", repairEvery);
    OptionBounds.check(repairBytesPerSecond > 0, "a repair rate over 0", repairBytesPerSecond);
    OptionBounds.check(slice.toMillis() > 0, "slices of 1 ms or more", slice);
  }

  /** A copy with another rate of scrubbing. */
  public RepairOptions withScrub(long bytesPerSecond, Duration every) {
    return new RepairOptions(
        bytesPerSecond, every, repairAfter, repairEvery, repairBytesPerSecond, slice);
  }

  /**
   * The same with another bound and another rate of repair. Stores are compared each minute, or ten
   * times within the bound if that is more often.
   */
  public RepairOptions withRepair(Duration after, long bytesPerSecond) {
    Duration part = after.dividedBy(ROUNDS_PER_BOUND);
    Duration usual = DEFAULT.repairEvery;
    Duration every = part.compareTo(usual) < 0 ? part : usual;
    return new RepairOptions(scrubBytesPerSecond, scrubEvery, after, every, bytesPerSecond, slice);
  }

  /** A copy with another wait between comparisons. */
  public RepairOptions withRepairEvery(Duration every) {
    return new RepairOptions(
        scrubBytesPerSecond, scrubEvery, repairAfter, every, repairBytesPerSecond, slice);
  }

  /** A copy with slices of another length. */
  public RepairOptions withSlice(Duration length) {
    return new RepairOptions(
        scrubBytesPerSecond, scrubEvery, repairAfter, repairEvery, repairBytesPerSecond, length);
  }
}
