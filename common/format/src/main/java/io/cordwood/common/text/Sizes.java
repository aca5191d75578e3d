package io.cordwood.common.text;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes as people write them: {@code 512}, {@code 64KiB}, {@code 16MiB}, {@code 2GB}. */
public final class Sizes {
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,12})\\s*([KMGT]?)(i?)B?", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = " KMGT";

  private Sizes() {}

  /**
   * Reads a size. {@code K M G T} are powers of 1,000, {@code Ki Mi Gi Ti} of 1,024.
   *
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  public static long parse(String text) {
    Matcher size = SIZE.matcher(text.strip());
    if (size.matches()) {
      String unit = size.group(2).toUpperCase(Locale.ROOT);
      int power = unit.isEmpty() ? 0 : UNITS.indexOf(unit);
      try {
        return Math.multiplyExact(
            Long.parseLong(size.group(1)), pow(size.group(3).isEmpty() ? 1000 : 1024, power));
      } catch (ArithmeticException e) {
        // More than a long holds: refused like any other text that is no size.
      }
    }
    throw new IllegalArgumentException(
        "expected a size such as 512, 64KiB or 16MiB, found \"" + text + "\"");
  }

  private static long pow(long base, int power) {
    return power == 0 ? 1 : base * pow(base, power - 1);
  }

  /**
   * Writes a size as {@link #parse} reads it, in the largest binary unit that it is a multiple of.
   */
  public static String exact(long bytes) {
    long value = bytes;
    int power = 0;
    while (value != 0 && value % 1024 == 0 && power < UNITS.length() - 1) {
      value /= 1024;
      power++;
    }
    return power == 0 ? Long.toString(bytes) : value + UNITS.substring(power, power + 1) + "iB";
  }

  /** A size with one decimal and a binary unit, such as {@code 1.5 MiB}. */
  public static String format(long bytes) {
    double value = bytes;
    int power = 0;
    while (value >= 1024 && power < UNITS.length() - 1) {
      value /= 1024;
      power++;
    }
    return power == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, "%.1f %siB", value, UNITS.charAt(power));
  }
}
