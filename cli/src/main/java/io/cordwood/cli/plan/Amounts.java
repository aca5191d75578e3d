package io.cordwood.cli.plan;

import java.util.Locale;

/** Figures for people: three digits, and a unit. */
final class Amounts {
  private static final String[] BYTES = {"B", "kB", "MB", "GB", "TB", "PB"};
  private static final double[] SECONDS = {1e-3, 1, 60, 3600, 86_400};
  private static final String[] TIMES = {"ms", "s", "min", "h", "d"};

  /** From there on the next unit of time. */
  private static final double[] UNTIL = {1, 120, 3600, 172_800, Double.POSITIVE_INFINITY};

  private static final double NEVER = 1e11;

  private Amounts() {}

  static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < BYTES.length - 1) {
      value /= 1000;
      unit++;
    }
    return number(value) + " " + BYTES[unit];
  }

  static String byteRate(double bytesPerSecond) {
    return bytes(bytesPerSecond) + "/s";
  }

  static String share(double share) {
    return number(100 * share) + " %";
  }

  /** A length of time; {@code never} if it has no end. */
  static String seconds(double seconds) {
    if (!(seconds < NEVER)) {
      return "never";
    }
    int unit = 0;
    while (seconds >= UNTIL[unit]) {
      unit++;
    }
    return number(seconds / SECONDS[unit]) + " " + TIMES[unit];
  }

  /** A number with three digits that count, without a fraction from 100 on. */
  static String number(double value) {
    if (Double.isInfinite(value) || Double.isNaN(value)) {
      return "any";
    }
    int decimals = value >= 99.95 || value == Math.rint(value) ? 0 : value >= 9.995 ? 1 : 2;
    String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
    return value > 0 && value < 0.005
        ? String.format(Locale.ROOT, "%.1g", value).replaceFirst("e-0?", "e-")
        : text;
  }
}
