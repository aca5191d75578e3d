package io.cordwood.store;

import io.cordwood.common.bucket.BucketUrl;
import java.time.Duration;
import java.util.Optional;

/**
 * The bucket that a store uploads to.
 *
 * @param place of the bucket
 * @param after how long after the end of a UTC day its records are uploaded
 * @param bytesPerSecond most bytes of records a second that are read and compressed for it
 * @param evictAfter how old records are at least that are deleted here since they are there; empty
 *     if none are
 */
public record ColdOptions(
    BucketUrl place, Duration after, long bytesPerSecond, Optional<Duration> evictAfter) {
  /** Readers do not look for younger records in a bucket, give or take their clocks. */
  public static final Duration LEAST_EVICT_AFTER = Duration.ofHours(2);

  public static final Duration DEFAULT_AFTER = Duration.ofHours(1);
  public static final long DEFAULT_BYTES_PER_SECOND = 32L << 20;

  /** One that deletes nothing. */
  public ColdOptions(BucketUrl place, Duration after, long bytesPerSecond) {
    this(place, after, bytesPerSecond, Optional.empty());
  }

  /**
   * @throws IllegalArgumentException if a bound makes no sense; the message names it
   */
  public ColdOptions {
    if (after.isNegative() || bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "cold: expected to upload after 0 or more, at a rate over 0, found %s and %d"
              .formatted(after, bytesPerSecond));
    }
    if (evictAfter.isPresent() && evictAfter.get().compareTo(LEAST_EVICT_AFTER) < 0) {
      throw new IllegalArgumentException(
          "--cold-evict-after: expected 2h or more, found " + evictAfter.get());
    }
  }
}
