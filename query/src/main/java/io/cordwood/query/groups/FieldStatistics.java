package io.cordwood.query.groups;

import org.jspecify.annotations.Nullable;

/** A field's numbers in a group, summed up. One thread. */
final class FieldStatistics {
  private final @Nullable QuantileSketch sketch;
  private long count;
  private double sum;
  private double least = Double.POSITIVE_INFINITY;
  private double greatest = Double.NEGATIVE_INFINITY;

  FieldStatistics(boolean percentiles) {
    this.sketch = percentiles ? new QuantileSketch() : null;
  }

  /** Adds that many numbers; to a sketch, one. */
  void add(long more, double sumOfMore, double leastOfMore, double greatestOfMore) {
    count += more;
    sum += sumOfMore;
    least = Math.min(least, leastOfMore);
    greatest = Math.max(greatest, greatestOfMore);
    if (sketch != null) {
      sketch.add(sumOfMore);
    }
  }

  double sum() {
    return orNone(sum);
  }

  double average() {
    return orNone(sum / count);
  }

  double least() {
    return orNone(least);
  }

  double greatest() {
    return orNone(greatest);
  }

  double at(double quantile) {
    return sketch == null || count == 0 ? Double.NaN : sketch.at(quantile);
  }

  private double orNone(double value) {
    return count == 0 ? Double.NaN : value;
  }
}
