package io.cordwood.query.groups;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.DDSketches;
import org.jspecify.annotations.Nullable;

/** A field's numbers in a group, summed up. One thread. */
final class FieldStatistics {
  /** A percentile differs from a value that there is by this share of it at most. */
  static final double RELATIVE_ERROR = 0.01;

  /**
   * The most bins of a sketch for numbers of one sign; then those nearest to zero become one. They
   * are enough for numbers that differ by a factor of 500 million.
   */
  private static final int MAX_BINS = 1024;

  /** The bytes that a sketch takes at most: bins of both signs, and the objects around them. */
  static final int SKETCH_BYTES = 2 * Double.BYTES * MAX_BINS + 512;

  /** The greatest number that a sketch is given. */
  private static final double MAX_OF_SKETCH = 1e300;

  private final @Nullable DDSketch sketch;
  private long count;
  private double sum;
  private double least = Double.POSITIVE_INFINITY;
  private double greatest = Double.NEGATIVE_INFINITY;

  FieldStatistics(boolean percentiles) {
    this.sketch = percentiles ? DDSketches.collapsingLowestDense(RELATIVE_ERROR, MAX_BINS) : null;
  }

  /** Adds that many numbers; to a sketch, one. */
  void add(long more, double sumOfMore, double leastOfMore, double greatestOfMore) {
    count += more;
    sum += sumOfMore;
    least = Math.min(least, leastOfMore);
    greatest = Math.max(greatest, greatestOfMore);
    if (sketch != null) {
      sketch.accept(Math.clamp(sumOfMore, -MAX_OF_SKETCH, MAX_OF_SKETCH));
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
    return sketch == null || count == 0 ? Double.NaN : sketch.getValueAtQuantile(quantile);
  }

  private double orNone(double value) {
    return count == 0 ? Double.NaN : value;
  }
}
