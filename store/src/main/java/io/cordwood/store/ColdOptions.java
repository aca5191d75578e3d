package io.cordwood.store;

import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdTimes;
import io.cordwood.common.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The bucket that a store uploads to.
 *
 * @param place of the bucket
 * @param after how long after the end of a UTC day its records are uploaded
 * @param bytesPerSecond most bytes of records a second that are read and compressed for it
 * @param evictAfter how old records are at least that are deleted here since they are there; empty
 *     if none are
 * @param retention how long the records of each topic are kept there, {@link #FOR_EVER} as well
 * @param times the same on all nodes
 */
public record ColdOptions(
    BucketUrl place,
    Duration after,
    long bytesPerSecond,
    Optional<Duration> evictAfter,
    ByTopic<Duration> retention,
    ColdTimes times) {
  /** Longer than any rule says. */
  public static final Duration FOR_EVER = Duration.ofDays(366_000);

  public static final Duration DEFAULT_AFTER = Duration.ofHours(1);
  public static final long DEFAULT_BYTES_PER_SECOND = 32L << 20;

  /** One that deletes nothing. */
  public ColdOptions(BucketUrl place, Duration after, long bytesPerSecond) {
    this(place, after, bytesPerSecond, Optional.empty());
  }

  /** One that keeps all for ever in the bucket. */
  public ColdOptions(
      BucketUrl place, Duration after, long bytesPerSecond, Optional<Duration> evictAfter) {
    this(place, after, bytesPerSecond, evictAfter, ByTopic.all(FOR_EVER));
  }

  /** One with the usual times. */
  public ColdOptions(
      BucketUrl place,
      Duration after,
      long bytesPerSecond,
      Optional<Duration> evictAfter,
      ByTopic<Duration> retention) {
    this(place, after, bytesPerSecond, evictAfter, retention, ColdTimes.USUAL);
  }

  /** The class of records that are kept for a time, as names of objects have it. */
  public static String className(Duration kept) {
    return kept.equals(FOR_EVER) ? ColdName.USUAL_CLASS : Durations.exact(kept);
  }

  /** Whether nothing in the bucket is ever deleted. */
  public boolean isForEver() {
    return retention.all().stream().allMatch(FOR_EVER::equals);
  }

  /**
   * Checks that no topic is kept on disks for longer than in the bucket.
   *
   * @throws IllegalArgumentException if one is; the message names it
   */
  public void checkKeepsAsLongAs(ByTopic<Duration> disks) {
    var patterns = new TreeSet<>(disks.values().keySet());
    patterns.addAll(retention.values().keySet());
    for (String topics : patterns) {
      Duration there = retention.of(topics);
      Duration here = disks.of(topics);
      if (there.compareTo(here) < 0) {
        throw new IllegalArgumentException(
            "--cold-retention: expected at least as long as --retention, found %s and %s for %s"
                .formatted(Durations.exact(there), Durations.exact(here), topics));
      }
    }
  }

  /**
   * @throws IllegalArgumentException if a bound makes no sense; the message names it
   */
  public ColdOptions {
    if (after.isNegative() || bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "cold: expected to upload after 0 or more, at a rate over 0, found %s and %d"
              .formatted(Durations.exact(after), bytesPerSecond));
    }
    for (Duration each : retention.all()) {
      if (!each.isPositive() || each.compareTo(FOR_EVER) > 0) {
        throw new IllegalArgumentException(
            "--cold-retention: expected more than 0, and at most 1000y, found "
                + Durations.exact(each));
      }
    }
    if (evictAfter.isPresent() && evictAfter.get().compareTo(times.proof()) < 0) {
      throw new IllegalArgumentException(
          "--cold-evict-after: expected %s or more, found %s"
              .formatted(Durations.exact(times.proof()), Durations.exact(evictAfter.get())));
    }
  }
}
