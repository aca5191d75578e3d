package io.cordwood.query.loki;

import io.cordwood.query.logql.Expr;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Numbers by labels, of the ranges before the points of a grid. Those that count to the same points
 * are held together. For the query's own thread.
 */
final class Samples {
  /** How often numbers that are held together may be taken for a point. */
  private static final long MAX_TAKEN = 50_000_000;

  private final Grid grid;
  private final Expr.Range range;
  private final Map<SortedMap<String, String>, SortedMap<Points, SampleStatistics>> series =
      new HashMap<>();
  private final SeriesMemory memory;

  Samples(Grid grid, Expr.Range range, SeriesMemory memory) {
    this.grid = grid;
    this.range = range;
    this.memory = memory;
  }

  /** The points, from the first to the last, to which numbers count. */
  private record Points(int first, int last) implements Comparable<Points> {
    @Override
    public int compareTo(Points other) {
      int byFirst = Integer.compare(first, other.first);
      return byFirst != 0 ? byFirst : Integer.compare(last, other.last);
    }
  }

  /** The numbers of a series at a time, to add some; empty if they count to no point. */
  Optional<SampleStatistics> of(SortedMap<String, String> labels, long millis) {
    var points = new Points(grid.first(millis), grid.last(millis, range.range()));
    if (points.first > points.last) {
      return Optional.empty();
    }
    SortedMap<Points, SampleStatistics> ofSeries = series.get(labels);
    if (ofSeries == null) {
      ofSeries = new TreeMap<>();
      series.put(labels, ofSeries);
      memory.takeSeries(labels.toString().length(), Double.BYTES, grid.points());
    }
    SampleStatistics numbers = ofSeries.get(points);
    if (numbers == null) {
      numbers = new SampleStatistics(range.function() == Expr.Function.QUANTILE_OVER_TIME);
      ofSeries.put(points, numbers);
      memory.take(SampleStatistics.BYTES);
    }
    return Optional.of(numbers);
  }

  /**
   * Adds a number to others of this time.
   *
   * @param count of records that have it
   */
  void add(SampleStatistics numbers, long millis, double number, long count) {
    memory.take(numbers.add(millis, number, count));
  }

  /** The series, without points where nothing is. */
  List<Series> series() {
    List<Series> all = new ArrayList<>();
    long[] taken = new long[1];
    series.forEach((labels, ofSeries) -> all.add(new Series(labels, values(ofSeries, taken))));
    return all;
  }

  private double[] values(SortedMap<Points, SampleStatistics> ofSeries, long[] taken) {
    double[] values = new double[grid.points()];
    Arrays.fill(values, Double.NaN);
    List<Map.Entry<Points, SampleStatistics>> active = new ArrayList<>();
    Iterator<Map.Entry<Points, SampleStatistics>> next = ofSeries.entrySet().iterator();
    Map.Entry<Points, SampleStatistics> waiting = next.hasNext() ? next.next() : null;
    for (int point = 0; point < values.length; point++) {
      int now = point;
      while (waiting != null && waiting.getKey().first <= now) {
        active.add(waiting);
        waiting = next.hasNext() ? next.next() : null;
      }
      active.removeIf(each -> each.getKey().last < now);
      taken[0] += active.size();
      if (taken[0] > MAX_TAKEN) {
        throw new LimitException(
            LimitException.Limit.POINTS,
            "parameter step: expected ranges that overlap less, found more than %d numbers in them"
                .formatted(MAX_TAKEN));
      }
      if (!active.isEmpty()) {
        values[point] =
            SampleStatistics.value(range, active.stream().map(Map.Entry::getValue).toList());
      }
    }
    return values;
  }
}
