package io.cordwood.query.logql;

/** How texts and numbers are written. */
final class Texts {
  private Texts() {}

  /** A string as LogQL and conditions on fields read it. */
  static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      switch (next) {
        case '"', '\\' -> quoted.append('\\').append(next);
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (next < ' ' || next == 0x7F) {
            quoted.append("\\u%04x".formatted((int) next));
          } else {
            quoted.append(next);
          }
        }
      }
    }
    return quoted.append('"').toString();
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
