package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;

/**
 * Numbers, with or without a unit: {@code 200}, {@code -1.5e3}, {@code 1,000}, {@code 1.5s}, {@code
 * 5 ms}, {@code 1m30s}, {@code PT1M30S}, {@code 10KiB}. Without a unit a number counts as seconds
 * where durations are compared, and as bytes where sizes are. Numbers are doubles.
 */
final class Quantity {
  /** A longer text is no number. */
  static final int MAX_BYTES = 1000;

  /** The kind of a unit. */
  enum Kind {
    PLAIN,
    SECONDS,
    BYTES
  }

  private static final double[] TENS = new double[23];

  static {
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = Double.parseDouble("1e" + i);
    }
  }

  /** As many digits are exact in a double. */
  private static final int EXACT_DIGITS = 15;

  private final byte[] bytes;
  private final int to;
  private int at;
  private Kind kind = Kind.PLAIN;

  private Quantity(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.to = to;
  }

  /**
   * The number that all of some bytes are, in seconds or bytes if it has a unit.
   *
   * @param compared what it is compared with
   * @return NaN if they are none, or of another kind
   */
  static double parse(byte[] bytes, int from, int to, Kind compared) {
    if (from == to || to - from > MAX_BYTES) {
      return Double.NaN;
    }
    var quantity = new Quantity(bytes, from, to);
    double value = quantity.value();
    boolean fits =
        quantity.kind == compared || quantity.kind == Kind.PLAIN || compared == Kind.PLAIN;
    return fits ? value : Double.NaN;
  }

  /** The kind of a number's unit. */
  static Kind kind(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    var quantity = new Quantity(bytes, 0, bytes.length);
    return Double.isNaN(quantity.value()) ? Kind.PLAIN : quantity.kind;
  }

  private double value() {
    boolean negative = at < to && bytes[at] == '-';
    at += negative || (at < to && bytes[at] == '+') ? 1 : 0;
    double sum = at < to && bytes[at] == 'P' ? inIso() : inUnits();
    return at == to ? (negative ? -sum : sum) : Double.NaN;
  }

  private double inUnits() {
    double sum = number();
    if (at < to) {
      sum = inUnit(sum);
      while (at < to && kind == Kind.SECONDS) {
        skipSpace();
        sum += inUnit(number());
      }
    }
    return sum;
  }

  /** Reads a duration of ISO 8601, in days or weeks and hours, minutes and seconds. */
  private double inIso() {
    kind = Kind.SECONDS;
    boolean ofTime = false;
    double sum = 0;
    at++;
    do {
      if (!ofTime && at < to && bytes[at] == 'T') {
        ofTime = true;
        at++;
      }
      boolean negative = at < to && bytes[at] == '-';
      at += negative ? 1 : 0;
      double part = number();
      double seconds = at < to ? part * isoSeconds(bytes[at], ofTime) : Double.NaN;
      sum += negative ? -seconds : seconds;
      at++;
    } while (at < to);
    return sum;
  }

  private static double isoSeconds(byte unit, boolean ofTime) {
    return switch (unit) {
      case 'S' -> ofTime ? 1 : Double.NaN;
      case 'M' -> ofTime ? 60 : Double.NaN;
      case 'H' -> ofTime ? 3600 : Double.NaN;
      case 'D' -> ofTime ? Double.NaN : 86_400;
      case 'W' -> ofTime ? Double.NaN : 7 * 86_400;
      default -> Double.NaN;
    };
  }

  private void skipSpace() {
    at += at < to && bytes[at] == ' ' ? 1 : 0;
  }

  /** Reads digits, a fraction and an exponent, without a sign. */
  private double number() {
    int start = at;
    long digits = readDigits(0);
    int count = at - start;
    boolean inGroups = count > 0 && count <= 3;
    while (inGroups && isGroup()) {
      at++;
      digits = readDigits(digits);
      count += 3;
    }
    int fraction = 0;
    if (count > 0 && at + 1 < to && bytes[at] == '.' && isDigit(bytes[at + 1])) {
      int point = at++;
      while (at < to && isDigit(bytes[at])) {
        digits = 10 * digits + bytes[at++] - '0';
      }
      fraction = at - point - 1;
    }
    if (count == 0) {
      at = to + 1;
      return Double.NaN;
    }
    boolean exponent = skipExponent();
    return !exponent && count + fraction <= EXACT_DIGITS
        ? digits / TENS[fraction]
        : Double.parseDouble(text(start).replace(",", ""));
  }

  private String text(int start) {
    return new String(bytes, start, at - start, StandardCharsets.US_ASCII);
  }

  private long readDigits(long before) {
    long digits = before;
    while (at < to && isDigit(bytes[at])) {
      digits = 10 * digits + bytes[at++] - '0';
    }
    return digits;
  }

  /** Whether a comma and three digits follow, as in {@code 1,000}. */
  private boolean isGroup() {
    int end = at + 4;
    return end <= to
        && bytes[at] == ','
        && isDigit(bytes[at + 1])
        && isDigit(bytes[at + 2])
        && isDigit(bytes[at + 3])
        && (end == to || !isDigit(bytes[end]));
  }

  private boolean skipExponent() {
    int next = at;
    if (next >= to || (bytes[next] != 'e' && bytes[next] != 'E')) {
      return false;
    }
    next++;
    next += next < to && (bytes[next] == '-' || bytes[next] == '+') ? 1 : 0;
    int first = next;
    while (next < to && isDigit(bytes[next])) {
      next++;
    }
    boolean there = next > first;
    at = there ? next : at;
    return there;
  }

  private static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  /** Reads a unit; how much that many of it are. NaN, and at no place, if none is there. */
  private double inUnit(double number) {
    skipSpace();
    int start = at;
    while (at < to && !isDigit(bytes[at]) && bytes[at] != ' ') {
      at++;
    }
    if (start > to || at - start > 3) {
      return none();
    }
    String unit = new String(bytes, start, at - start, StandardCharsets.UTF_8);
    double seconds = seconds(number, unit);
    double size = kind == Kind.SECONDS ? Double.NaN : size(number, unit);
    if (Double.isNaN(seconds) && Double.isNaN(size)) {
      return none();
    }
    kind = Double.isNaN(seconds) ? Kind.BYTES : Kind.SECONDS;
    return Double.isNaN(seconds) ? size : seconds;
  }

  private double none() {
    at = to + 1;
    return Double.NaN;
  }

  /** Divides, since a tenth is no double: 700ms are as long as 0.7s. */
  private static double seconds(double number, String unit) {
    return switch (unit) {
      case "ns" -> number / 1e9;
      case "us", "\u00b5s", "\u03bcs" -> number / 1e6;
      case "ms" -> number / 1e3;
      case "s" -> number;
      case "m" -> number * 60;
      case "h" -> number * 3600;
      case "d" -> number * 86_400;
      default -> Double.NaN;
    };
  }

  private static double size(double number, String unit) {
    return switch (unit) {
      case "B" -> number;
      case "kB", "KB" -> number * 1e3;
      case "MB" -> number * 1e6;
      case "GB" -> number * 1e9;
      case "TB" -> number * 1e12;
      case "KiB", "Ki" -> number * (1L << 10);
      case "MiB", "Mi" -> number * (1L << 20);
      case "GiB", "Gi" -> number * (1L << 30);
      case "TiB", "Ti" -> number * (1L << 40);
      default -> Double.NaN;
    };
  }
}
