package io.cordwood.query.logql;

import io.cordwood.common.json.Json;

/** How texts and numbers are written. */
final class Texts {
  private Texts() {}

  /** A string as LogQL and conditions on fields read it. */
  static String quoted(String text) {
    return Json.quoted(text);
  }

  /** A whole number without a fraction. */
  static String number(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }

  /** A regular expression for a text as it is. */
  static String asRegex(String text) {
    var regex = new StringBuilder();
    text.codePoints()
        .forEach(next -> {
          if ("\\.+*?()|[]{}^$".indexOf(next) >= 0) {
            regex.append('\\');
          }
          regex.appendCodePoint(next);
        });
    return regex.toString();
  }
}
