package io.cordwood.store;

import io.cordwood.common.bucket.BucketUrl;
import java.time.Duration;

/**
 * The bucket that a store uploads to.
 *
 * @param place of the bucket
 * @param after how long after the end of a UTC day its records are uploaded
 * @param bytesPerSecond most bytes of records a second that are read and compressed for it
 */
public record ColdOptions(BucketUrl place, Duration after, long bytesPerSecond) {
  public static final Duration DEFAULT_AFTER = Duration.ofHours(1);
  public static final long DEFAULT_BYTES_PER_SECOND = 32L << 20;

  /**
   * @throws IllegalArgumentException if a bound makes no sense; the message names it
   */
  public ColdOptions {
    if (after.isNegative() || bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "cold: expected to upload after 0 or more, at a rate over 0, found %s and %d"
              .formatted(after, bytesPerSecond));
    }
  }
}
