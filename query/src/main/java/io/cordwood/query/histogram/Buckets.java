package io.cordwood.query.histogram;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.ulid.UlidRange;
import java.time.Duration;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Stretches of time of one width, that begin at multiples of it since 1970, in UTC.
 *
 * @param firstMillis where the first one begins
 */
record Buckets(long widthMillis, long firstMillis, int count) {
  /** The most that there can be. */
  static final int MAX = 10_000;

  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** Widths that read well; wider ones are whole numbers of the last. */
  private static final long[] WIDTHS =
      LongStream.concat(
              LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500),
              LongStream.of(
                  SECOND,
                  2 * SECOND,
                  5 * SECOND,
                  10 * SECOND,
                  15 * SECOND,
                  30 * SECOND,
                  MINUTE,
                  2 * MINUTE,
                  5 * MINUTE,
                  10 * MINUTE,
                  15 * MINUTE,
                  30 * MINUTE,
                  HOUR,
                  2 * HOUR,
                  3 * HOUR,
                  6 * HOUR,
                  12 * HOUR,
                  DAY))
          .toArray();

  /** Those that cover a range, at most this number, of the least width that reads well. */
  static Buckets atMost(int count, UlidRange range) {
    for (long width : WIDTHS) {
      Buckets buckets = covering(range, width);
      if (buckets != null && buckets.count <= count) {
        return buckets;
      }
    }
    long days = (range.to().millis() - range.from().millis()) / DAY + 1;
    for (long width = DAY * Math.max(1, days / count); ; width += DAY) {
      Buckets buckets = covering(range, width);
      if (buckets != null && buckets.count <= count) {
        return buckets;
      }
    }
  }

  /**
   * Those that cover a range.
   *
   * @throws HttpError 400 if they are too many
   */
  static Buckets of(Duration width, UlidRange range) {
    Buckets buckets = covering(range, Math.max(1, width.toMillis()));
    if (buckets == null) {
      throw new HttpError(
          400,
          "parameter bucket: expected at most %d buckets, found more from %s to %s"
              .formatted(MAX, range.from().time(), range.to().time()));
    }
    return buckets;
  }

  private static @Nullable Buckets covering(UlidRange range, long widthMillis) {
    long first = range.from().millis() / widthMillis;
    long count = range.to().millis() / widthMillis - first + 1;
    return count > MAX ? null : new Buckets(widthMillis, first * widthMillis, (int) count);
  }

  /** In which one a time is. */
  int at(long millis) {
    long index = (millis - firstMillis) / widthMillis;
    return Math.clamp(index, 0, count - 1);
  }

  /** Whether a range is within one. */
  boolean hasWithinOne(UlidRange range) {
    return at(range.from().millis()) == at(range.to().millis());
  }

  long beginMillis(int bucket) {
    return firstMillis + bucket * widthMillis;
  }
}
