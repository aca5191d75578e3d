package io.cordwood.query.loki;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.histogram.IndexCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Sums by labels, of the ranges before the points of a grid. For the query's own thread. */
final class Sums {
  private final Grid grid;
  private final Duration range;
  private final SeriesMemory memory;

  /** By how much each point is more than the one before it. */
  private final Map<SortedMap<String, String>, long[]> steps = new HashMap<>();

  Sums(Grid grid, Duration range, SeriesMemory memory) {
    this.grid = grid;
    this.range = range;
    this.memory = memory;
  }

  void add(SortedMap<String, String> labels, long millis, long amount) {
    int first = grid.first(millis);
    int last = grid.last(millis, range);
    if (first <= last) {
      long[] ofSeries = steps.get(labels);
      if (ofSeries == null) {
        ofSeries = begin(labels);
      }
      ofSeries[first] += amount;
      ofSeries[last + 1] -= amount;
    }
  }

  private long[] begin(SortedMap<String, String> labels) {
    memory.takeSeries(labels.toString().length(), 3L * Long.BYTES, grid.points());
    long[] ofSeries = new long[grid.points() + 1];
    steps.put(labels, ofSeries);
    return ofSeries;
  }

  /** Takes counts of the index, without labels. */
  IndexCount.Tally tally() {
    return new IndexCount.Tally() {
      @Override
      public boolean isOne(UlidRange records) {
        long from = records.from().millis();
        long to = records.to().millis();
        return grid.first(from) == grid.first(to) && grid.last(from, range) == grid.last(to, range);
      }

      @Override
      public void add(long millis, long records) {
        Sums.this.add(Collections.emptySortedMap(), millis, records);
      }
    };
  }

  /** The series, without points where nothing is. */
  List<Series> series(boolean perSecond) {
    double divisor = perSecond ? range.toMillis() / 1000.0 : 1;
    List<Series> all = new ArrayList<>();
    steps.forEach((labels, ofSeries) -> {
      Arrays.parallelPrefix(ofSeries, Long::sum);
      double[] values = new double[grid.points()];
      Arrays.setAll(values, i -> ofSeries[i] == 0 ? Double.NaN : ofSeries[i] / divisor);
      all.add(new Series(labels, values));
    });
    return all;
  }
}
