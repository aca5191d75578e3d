package io.cordwood.ingest.otlp;

import java.util.List;
import java.util.Locale;

/** The names that OpenTelemetry gives the numbers of severities: {@code ERROR} is 17. */
final class Severity {
  private static final List<String> NAMES =
      List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL");

  /** How many numbers each name has: {@code ERROR2} is 18. */
  private static final int EACH = 4;

  private Severity() {}

  /** The number that a text is the name of, in any case; 0 if it is none. */
  static int number(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    int digit = text.charAt(text.length() - 1) - '0';
    boolean hasDigit = digit >= 2 && digit <= EACH;
    String name = hasDigit ? text.substring(0, text.length() - 1) : text;
    int index = NAMES.indexOf(name.toUpperCase(Locale.ROOT));
    return index < 0 ? 0 : EACH * index + (hasDigit ? digit : 1);
  }
}
