package io.cordwood.cli.plan;

import io.cordwood.common.text.Durations;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts as people write them: {@code 1.5TB/day}, {@code 50000lines/s}, {@code 500GB}. */
final class Quantities {
  private static final String NUMBER = "(\\d{1,15}(?:\\.\\d{1,9})?)";
  private static final String EACH = "/\\s*(s|min|h|day|d)";
  private static final String BYTES = NUMBER + "\\s*([KMGTP]?)(i?)B";

  private static final Pattern SIZE = Pattern.compile(BYTES, Pattern.CASE_INSENSITIVE);
  private static final Pattern BYTE_RATE = Pattern.compile(BYTES + EACH, Pattern.CASE_INSENSITIVE);
  private static final Pattern LINE_RATE =
      Pattern.compile(NUMBER + "\\s*([KMG]?)\\s*lines?" + EACH, Pattern.CASE_INSENSITIVE);
  private static final Pattern QUESTION =
      Pattern.compile("(\\w+)\\s+(\\w+)\\s+" + NUMBER + EACH, Pattern.CASE_INSENSITIVE);
  private static final Pattern PERCENT = Pattern.compile(NUMBER + "\\s*%?");

  private static final String UNITS = "KMGTP";

  /**
   * How much comes.
   *
   * @param isLines whether the amount is lines a second, and not bytes a second
   */
  record Rate(double perSecond, boolean isLines) {
    double bytesPerSecond(double lineBytes) {
      return isLines ? perSecond * lineBytes : perSecond;
    }
  }

  private Quantities() {}

  /**
   * Reads a load.
   *
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  static Rate rate(String text) {
    Matcher bytes = BYTE_RATE.matcher(text.strip());
    if (bytes.matches()) {
      return new Rate(bytes(bytes) / seconds(bytes.group(4)), false);
    }
    Matcher lines = LINE_RATE.matcher(text.strip());
    if (lines.matches()) {
      double number = Double.parseDouble(lines.group(1)) * power(lines.group(2), 1000);
      return new Rate(number / seconds(lines.group(3)), true);
    }
    throw new IllegalArgumentException(
        "expected a load such as 1TB/day, 12MB/s or 50000lines/s, found \"" + text + "\"");
  }

  /**
   * Reads a number of bytes, which may have a fraction.
   *
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  static double size(String text) {
    Matcher size = SIZE.matcher(text.strip());
    if (!size.matches()) {
      throw new IllegalArgumentException(
          "expected bytes such as 500GB or 1.5TB, found \"" + text + "\"");
    }
    return bytes(size);
  }

  /**
   * Reads bytes a second.
   *
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  static double byteRate(String text) {
    Matcher rate = BYTE_RATE.matcher(text.strip());
    if (!rate.matches()) {
      throw new IllegalArgumentException(
          "expected bytes of a time such as 500MB/s, found \"" + text + "\"");
    }
    return bytes(rate) / seconds(rate.group(4));
  }

  /**
   * Reads a share.
   *
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  static double percent(String text) {
    Matcher percent = PERCENT.matcher(text.strip());
    if (!percent.matches()) {
      throw new IllegalArgumentException(
          "expected a percentage such as 5%, found \"" + text + "\"");
    }
    return Double.parseDouble(percent.group(1)) / 100;
  }

  /**
   * Reads a question.
   *
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  static Question question(String text) {
    Matcher question = QUESTION.matcher(text.strip());
    if (!question.matches()) {
      throw new IllegalArgumentException(
          "expected a question such as \"rare 24h 2/s\", found \"" + text + "\"");
    }
    return new Question(
        kind(question.group(1)),
        Durations.parse(question.group(2)).toMillis() / 1e3,
        Double.parseDouble(question.group(3)) / seconds(question.group(4)));
  }

  private static Question.Kind kind(String word) {
    for (Question.Kind each : Question.Kind.values()) {
      if (each.toString().equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "expected absent, rare or common before the range of a question, found \"" + word + "\"");
  }

  private static double bytes(Matcher size) {
    return Double.parseDouble(size.group(1))
        * power(size.group(2), size.group(3).isEmpty() ? 1000 : 1024);
  }

  private static double power(String unit, double base) {
    return unit.isEmpty() ? 1 : Math.pow(base, UNITS.indexOf(unit.toUpperCase(Locale.ROOT)) + 1.0);
  }

  private static double seconds(String unit) {
    return switch (unit.toLowerCase(Locale.ROOT)) {
      case "s" -> 1;
      case "min" -> 60;
      case "h" -> 3600;
      default -> 86_400;
    };
  }
}
