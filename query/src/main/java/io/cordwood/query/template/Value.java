package io.cordwood.query.template;

import java.time.Instant;

/** Values as other ones: each is a String, Long, Double, Boolean or Instant. */
final class Value {
  /** Beyond it not each whole number is a double. */
  private static final double MAX_WHOLE = 1e15;

  private Value() {}

  static String text(Object value) {
    if (value instanceof Double number) {
      return number == Math.rint(number) && Math.abs(number) < MAX_WHOLE
          ? Long.toString(number.longValue())
          : number.toString();
    }
    return value.toString();
  }

  /** 0 if it is no number. */
  static double number(Object value) {
    double number = numberOrNone(value);
    return Double.isNaN(number) ? 0 : number;
  }

  /** Without what follows a decimal point; 0 if it is no number. */
  static long whole(Object value) {
    if (value instanceof Long whole) {
      return whole;
    }
    try {
      return Long.parseLong(text(value));
    } catch (NumberFormatException e) {
      return (long) number(value);
    }
  }

  /** An int that is nearest to it. */
  static int small(Object value) {
    return Math.clamp(whole(value), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** An empty text, 0 and false are not. */
  static boolean isTrue(Object value) {
    return switch (value) {
      case Boolean truth -> truth;
      case Number number -> number.doubleValue() != 0;
      case Instant _ -> true;
      default -> !value.toString().isEmpty();
    };
  }

  /** By numbers if one is a number and the other can be read as one, or else by texts. */
  static int compare(Object one, Object other) {
    if (one instanceof Number || other instanceof Number) {
      double left = numberOrNone(one);
      double right = numberOrNone(other);
      if (!Double.isNaN(left) && !Double.isNaN(right)) {
        return one instanceof Long whole && other instanceof Long that
            ? Long.compare(whole, that)
            : Double.compare(left, right);
      }
    }
    return text(one).compareTo(text(other));
  }

  private static double numberOrNone(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    try {
      return Double.parseDouble(text(value));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
