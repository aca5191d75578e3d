package io.cordwood.query.groups;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.DDSketches;

/** Any quantile of numbers, about, in {@link #BYTES} of memory. One thread. */
public final class QuantileSketch {
  /** A quantile differs from a number that there is by this share of it at most. */
  public static final double RELATIVE_ERROR = 0.01;

  /**
   * The most bins for numbers of one sign; then those nearest to zero become one. They are enough
   * for numbers that differ by a factor of 500 million.
   */
  private static final int MAX_BINS = 1024;

  /** The most memory of one: bins of both signs, and the objects around them. */
  public static final int BYTES = 2 * Double.BYTES * MAX_BINS + 512;

  /** Greater ones count as this. */
  private static final double MAX_NUMBER = 1e300;

  private final DDSketch bins = DDSketches.collapsingLowestDense(RELATIVE_ERROR, MAX_BINS);

  public void add(double number) {
    bins.accept(Math.clamp(number, -MAX_NUMBER, MAX_NUMBER));
  }

  /** Adds a number that is there several times. */
  public void add(double number, long times) {
    bins.accept(Math.clamp(number, -MAX_NUMBER, MAX_NUMBER), times);
  }

  /** Adds all that another has been given. */
  public void addAll(QuantileSketch other) {
    bins.mergeWith(other.bins);
  }

  /** The number below which a share of all is, from 0 to 1; there has to be one. */
  public double at(double quantile) {
    return bins.getValueAtQuantile(quantile);
  }
}
