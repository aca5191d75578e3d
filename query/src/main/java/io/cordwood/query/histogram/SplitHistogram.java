package io.cordwood.query.histogram;

import io.cordwood.query.fields.Grouping;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.FieldTally;
import io.cordwood.query.scan.GroupCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers of records by time, and by the value of a field. Values beyond {@link #MAX_BYTES} count
 * as others. For the query's own thread.
 */
final class SplitHistogram implements GroupCounts {
  /** The memory of all numbers. */
  private static final int MAX_BYTES = 8 << 20;

  private static final int VALUE_BYTES = 160;

  /** Stands for what has no value. */
  private static final String NONE = "-";

  private static final String OTHERS = "others";

  private final Buckets buckets;
  private final Grouping grouping;
  private final int most;
  private final Map<String, long[]> byValue = new HashMap<>();
  private final long[] others;
  private long bytes;
  private long records;
  private int bucket;

  /**
   * @param most number of values that have numbers of their own, those of the most records
   */
  SplitHistogram(Buckets buckets, Grouping grouping, int most) {
    this.buckets = buckets;
    this.grouping = grouping;
    this.most = most;
    this.others = new long[buckets.count()];
  }

  /** The numbers of a value, or of all others. */
  record Series(String shown, boolean isRest, long[] counts) {
    long count(int bucket) {
      return counts[bucket];
    }

    long sum() {
      return Arrays.stream(counts).sum();
    }
  }

  Buckets buckets() {
    return buckets;
  }

  long records() {
    return records;
  }

  /** Adds the answer to a query for {@link FieldTally}s. */
  boolean add(BlockHits hits, BlockHits.Group group) throws IOException {
    bucket = buckets.at(group.first().millis());
    for (int hit = group.from(); hit < group.to(); hit++) {
      FieldTally.read(hits.record(hit), grouping, this);
    }
    return true;
  }

  @Override
  public void group(ByteBuffer key, long more) {
    String value = GroupCounts.values(key, 1).getFirst();
    String shown = value == null ? NONE : value;
    long[] counts = byValue.get(shown);
    if (counts == null) {
      int size = VALUE_BYTES + 2 * shown.length() + Long.BYTES * buckets.count();
      if (bytes + size > MAX_BYTES) {
        counts = others;
      } else {
        bytes += size;
        counts = new long[buckets.count()];
        byValue.put(shown, counts);
      }
    }
    counts[bucket] += more;
    records += more;
  }

  /** Those of the most records first, and the others at the end if there are some. */
  List<Series> series() {
    List<Series> all = new ArrayList<>();
    byValue.forEach((shown, counts) -> all.add(new Series(shown, false, counts)));
    all.sort(Comparator.comparingLong(Series::sum).reversed().thenComparing(Series::shown));
    List<Series> first = new ArrayList<>(all.subList(0, Math.min(most, all.size())));
    long[] rest = others.clone();
    for (Series each : all.subList(first.size(), all.size())) {
      Arrays.setAll(rest, i -> rest[i] + each.counts[i]);
    }
    var others = new Series(OTHERS, true, rest);
    if (others.sum() > 0) {
      first.add(others);
    }
    return first;
  }
}
