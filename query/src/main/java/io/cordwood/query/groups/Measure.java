package io.cordwood.query.groups;

import io.cordwood.query.groups.Groups.Group;
import io.cordwood.query.http.TableNumbers;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A measure of a field.
 *
 * @param field as it was asked for
 * @param position of the field among those whose numbers are summed up, or those whose different
 *     values are counted
 */
record Measure(Kind kind, String field, int position) {
  /** Sums and their like, percentiles, and the number of different values. */
  enum Kind {
    SUM(Double.NaN),
    AVG(Double.NaN),
    MIN(Double.NaN),
    MAX(Double.NaN),
    P50(0.5),
    P90(0.9),
    P99(0.99),
    DISTINCT(Double.NaN);

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

  /** The measure of a group; null if it has none. */
  @Nullable Object of(Group group) {
    if (kind == Kind.DISTINCT) {
      Distinct values = group.sets()[position];
      return values.isExact() ? (Object) values.count() : new Estimate(values.count());
    }
    double value = of(group.numbers()[position]);
    boolean isExact = kind == Kind.SUM || kind == Kind.MIN || kind == Kind.MAX;
    return isExact ? TableNumbers.number(value) : TableNumbers.rounded(value);
  }

  /** The measure of some numbers; NaN if there are none. */
  private double of(FieldStatistics numbers) {
    return switch (kind) {
      case SUM -> numbers.sum();
      case AVG -> numbers.average();
      case MIN -> numbers.least();
      case MAX -> numbers.greatest();
      case P50, P90, P99 -> numbers.at(kind.quantile);
      case DISTINCT -> Double.NaN;
    };
  }
}
