package io.cordwood.query.groups;

import io.cordwood.query.fields.FieldPath;
import java.util.Locale;

/** A measure of a field's numbers. */
record Measure(Kind kind, FieldPath field) {
  /** Sums and their like, and percentiles. */
  enum Kind {
    SUM(Double.NaN),
    AVG(Double.NaN),
    MIN(Double.NaN),
    MAX(Double.NaN),
    P50(0.5),
    P90(0.9),
    P99(0.99);

    private final double quantile;

    Kind(double quantile) {
      this.quantile = quantile;
    }

    /** By which it is asked for. */
    String parameter() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isPercentile() {
      return !Double.isNaN(quantile);
    }
  }

  /** As {@code p99(dur)}. */
  String name() {
    return kind.parameter() + "(" + field + ")";
  }

  /** The measure of some numbers; NaN if there are none. */
  double of(Numbers numbers) {
    return switch (kind) {
      case SUM -> numbers.sum();
      case AVG -> numbers.average();
      case MIN -> numbers.least();
      case MAX -> numbers.greatest();
      case P50, P90, P99 -> numbers.at(kind.quantile);
    };
  }
}
