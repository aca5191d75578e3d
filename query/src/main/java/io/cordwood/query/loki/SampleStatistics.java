package io.cordwood.query.loki;

import io.cordwood.query.groups.QuantileSketch;
import io.cordwood.query.logql.Expr;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** The numbers of one series in one range of time, summed up. One thread. */
final class SampleStatistics {
  /** The memory of one without its values. */
  static final int BYTES = 200;

  /** More values than these are a sketch. */
  static final int MAX_EXACT = 1024;

  private final boolean quantiles;
  private long count;
  private double sum;
  private double average;

  /** The sum of squares of what numbers differ from their average. */
  private double squares;

  private double least = Double.POSITIVE_INFINITY;
  private double greatest = Double.NEGATIVE_INFINITY;
  private long firstMillis = Long.MAX_VALUE;
  private double first;
  private long lastMillis = Long.MIN_VALUE;
  private double last;
  private double[] values = {};
  private @Nullable QuantileSketch sketch;

  /**
   * @param quantiles whether they are wanted
   */
  SampleStatistics(boolean quantiles) {
    this.quantiles = quantiles;
  }

  /**
   * Adds a number; those of one time in their order.
   *
   * @param times that it is there
   * @return the bytes that it takes
   */
  long add(long millis, double number, long times) {
    if (millis < firstMillis) {
      firstMillis = millis;
      first = number;
    }
    if (millis >= lastMillis) {
      lastMillis = millis;
      last = number;
    }
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
    sum += number * times;
    merge(times, number, 0);
    return quantiles ? keep(number, times) : 0;
  }

  private void merge(long times, double otherAverage, double otherSquares) {
    double difference = otherAverage - average;
    long all = count + times;
    average += difference * times / all;
    squares += otherSquares + difference * difference * count / all * times;
    count = all;
  }

  private long keep(double number, long times) {
    QuantileSketch known = sketch;
    if (known != null) {
      known.add(number, times);
      return 0;
    }
    if (count > MAX_EXACT) {
      var made = new QuantileSketch();
      for (int i = 0; i < count - times; i++) {
        made.add(values[i]);
      }
      made.add(number, times);
      values = new double[0];
      sketch = made;
      return QuantileSketch.BYTES;
    }
    int before = values.length;
    if (count > before) {
      values = Arrays.copyOf(values, (int) Math.min(MAX_EXACT, Math.max(count, 2L * before)));
    }
    Arrays.fill(values, (int) (count - times), (int) count, number);
    return (long) Double.BYTES * (values.length - before);
  }

  /** The value of a function of all of some numbers, of which there are some. */
  static double value(Expr.Range range, List<SampleStatistics> all) {
    return switch (range.function()) {
      case SUM_OVER_TIME -> sum(all);
      case RATE -> sum(all) / (range.range().toMillis() / 1000.0);
      case AVG_OVER_TIME -> merged(all).average;
      case MIN_OVER_TIME -> all.stream().mapToDouble(n -> n.least).min().orElseThrow();
      case MAX_OVER_TIME -> all.stream().mapToDouble(n -> n.greatest).max().orElseThrow();
      case STDVAR_OVER_TIME -> variance(merged(all));
      case STDDEV_OVER_TIME -> Math.sqrt(variance(merged(all)));
      case FIRST_OVER_TIME -> earliest(all).first;
      case LAST_OVER_TIME -> latest(all).last;
      case QUANTILE_OVER_TIME -> quantile(all, range.quantile());
      case COUNT_OVER_TIME, BYTES_OVER_TIME, BYTES_RATE, ABSENT_OVER_TIME ->
          throw new IllegalStateException("is not of numbers");
    };
  }

  private static double sum(List<SampleStatistics> all) {
    return all.stream().mapToDouble(n -> n.sum).sum();
  }

  private static SampleStatistics merged(List<SampleStatistics> all) {
    var merged = new SampleStatistics(false);
    all.forEach(n -> merged.merge(n.count, n.average, n.squares));
    return merged;
  }

  private static double variance(SampleStatistics numbers) {
    return numbers.squares / numbers.count;
  }

  private static SampleStatistics earliest(List<SampleStatistics> all) {
    return all.stream().reduce((a, b) -> b.firstMillis < a.firstMillis ? b : a).orElseThrow();
  }

  private static SampleStatistics latest(List<SampleStatistics> all) {
    return all.stream().reduce((a, b) -> b.lastMillis >= a.lastMillis ? b : a).orElseThrow();
  }

  private static double quantile(List<SampleStatistics> all, double quantile) {
    if (all.stream().allMatch(n -> n.sketch == null)) {
      double[] sorted =
          all.stream()
              .flatMapToDouble(n -> DoubleStream.of(n.values).limit(n.count))
              .sorted()
              .toArray();
      double rank = quantile * (sorted.length - 1);
      int below = (int) Math.floor(rank);
      int above = Math.min(below + 1, sorted.length - 1);
      double weight = rank - below;
      return sorted[below] * (1 - weight) + sorted[above] * weight;
    }
    var together = new QuantileSketch();
    for (SampleStatistics each : all) {
      QuantileSketch known = each.sketch;
      if (known != null) {
        together.addAll(known);
      } else {
        DoubleStream.of(each.values).limit(each.count).forEach(together::add);
      }
    }
    return together.at(quantile);
  }
}
