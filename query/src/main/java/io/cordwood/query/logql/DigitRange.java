package io.cordwood.query.logql;

import java.util.ArrayList;
import java.util.List;

/** Regular expressions for the numbers of a range, by their digits. */
final class DigitRange {
  private static final String DIGITS = "0123456789abcdef";

  private DigitRange() {}

  /**
   * Numbers from a first to a last.
   *
   * @param radix at most 16; letters are in lower case
   * @param width the most digits
   * @param padded whether zeros may stand before a number, up to that many digits
   */
  static String regex(int first, int last, int radix, int width, boolean padded) {
    if (padded && first == 0 && last == (int) Math.pow(radix, width) - 1) {
      return any(radix) + "{1," + width + "}";
    }
    List<String> all = new ArrayList<>();
    int least = 0;
    int most = radix - 1;
    for (int digits = 1; digits <= width; digits++) {
      int from = Math.max(first, least);
      int to = Math.min(last, most);
      if (from <= to) {
        String zeros = padded && digits < width ? "0{0," + (width - digits) + "}" : "";
        all.add(zeros + same(digits(from, digits, radix), digits(to, digits, radix), radix));
      }
      least = most + 1;
      most = radix * (most + 1) - 1;
    }
    return all.size() == 1 ? all.getFirst() : "(?:" + String.join("|", all) + ")";
  }

  private static String digits(int number, int digits, int radix) {
    String text = Integer.toString(number, radix);
    return "0".repeat(digits - text.length()) + text;
  }

  /** Numbers of as many digits. */
  private static String same(String first, String last, int radix) {
    if (first.isEmpty()) {
      return "";
    }
    int low = DIGITS.indexOf(first.charAt(0));
    int high = DIGITS.indexOf(last.charAt(0));
    String afterLow = first.substring(1);
    String afterHigh = last.substring(1);
    if (low == high) {
      return digit(low, low) + same(afterLow, afterHigh, radix);
    }
    String least = "0".repeat(afterLow.length());
    String most = digit(radix - 1, radix - 1).repeat(afterLow.length());
    boolean lowIsWhole = afterLow.equals(least);
    boolean highIsWhole = afterHigh.equals(most);
    List<String> all = new ArrayList<>();
    if (!lowIsWhole) {
      all.add(digit(low, low) + same(afterLow, most, radix));
    }
    int from = lowIsWhole ? low : low + 1;
    int to = highIsWhole ? high : high - 1;
    if (from <= to) {
      all.add(digit(from, to) + any(radix).repeat(afterLow.length()));
    }
    if (!highIsWhole) {
      all.add(digit(high, high) + same(least, afterHigh, radix));
    }
    return all.size() == 1 ? all.getFirst() : "(?:" + String.join("|", all) + ")";
  }

  private static String any(int radix) {
    return digit(0, radix - 1);
  }

  private static String digit(int from, int to) {
    if (from == 0 && to == 9) {
      return "\\d";
    }
    if (from == to) {
      return String.valueOf(DIGITS.charAt(from));
    }
    String numbers = from < 10 ? range(from, Math.min(to, 9)) : "";
    String letters = to >= 10 ? range(Math.max(from, 10), to) : "";
    return "[" + numbers + letters + "]";
  }

  private static String range(int from, int to) {
    return from == to
        ? String.valueOf(DIGITS.charAt(from))
        : DIGITS.charAt(from) + "-" + DIGITS.charAt(to);
  }
}
