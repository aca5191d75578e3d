package io.cordwood.query.http;

import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/** Numbers of tables, whole ones as such. */
public final class TableNumbers {
  private static final double MOST_WHOLE = 1e15;
  private static final MathContext SHOWN = new MathContext(6);

  private TableNumbers() {}

  /** To some digits, for what is a share or an average: more of them say nothing. */
  public static @Nullable Object rounded(double value) {
    return Double.isFinite(value) ? number(new BigDecimal(value).round(SHOWN).doubleValue()) : null;
  }

  /** A whole number as such; null if it is none that is finite. */
  public static @Nullable Object number(double value) {
    if (!Double.isFinite(value)) {
      return null;
    }
    boolean isWhole = value == Math.rint(value) && Math.abs(value) < MOST_WHOLE;
    return isWhole ? (Object) (long) value : (Object) value;
  }
}
