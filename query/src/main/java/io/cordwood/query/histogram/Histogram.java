package io.cordwood.query.histogram;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.PatternTally;
import java.io.IOException;

/**
 * Numbers of records by time, and by the first pattern that each matches, or by level. For the
 * query's own thread.
 */
final class Histogram implements IndexCount.Tally {
  private final Buckets buckets;
  private final int patterns;
  private final long[] counts;
  private long records;

  /**
   * @param patterns that are told apart, or levels; 1 if none are
   */
  Histogram(Buckets buckets, int patterns) {
    this.buckets = buckets;
    this.patterns = patterns;
    this.counts = new long[buckets.count() * patterns];
  }

  Buckets buckets() {
    return buckets;
  }

  int patterns() {
    return patterns;
  }

  long records() {
    return records;
  }

  long count(int bucket, int pattern) {
    return counts[bucket * patterns + pattern];
  }

  @Override
  public boolean isOne(UlidRange range) {
    return buckets.hasWithinOne(range);
  }

  @Override
  public void add(long millis, long more) {
    counts[buckets.at(millis) * patterns] += more;
    records += more;
  }

  /** Adds the answer to a query for {@link PatternTally}s. */
  boolean addTallied(BlockHits hits, BlockHits.Group group) throws IOException {
    long[] sums = new long[patterns];
    for (int hit = group.from(); hit < group.to(); hit++) {
      PatternTally.addTo(sums, hits.record(hit));
    }
    int at = buckets.at(group.first().millis()) * patterns;
    for (int i = 0; i < patterns; i++) {
      counts[at + i] += sums[i];
      records += sums[i];
    }
    return true;
  }
}
