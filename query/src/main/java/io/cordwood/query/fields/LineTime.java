package io.cordwood.query.fields;

import java.util.regex.Pattern;

/** How times are written in lines of text and in values, as parts of regular expressions. */
final class LineTime {
  static final String CLOCK = "\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?";
  static final String ZONE = "(?: ?(?:Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)(?!\\w))?";
  static final String DATED = "\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]" + CLOCK + ZONE;
  static final String OF_SYSLOG =
      "(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \\d]\\d " + CLOCK + "(?: \\d{4}(?![^\\s\\]]))?";
  static final String OF_JUL = "[A-Z][a-z]{2} \\d\\d?, \\d{4} \\d\\d?:\\d\\d:\\d\\d [AP]M";

  private static final String OF_SERVER = "\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d" + ZONE;
  private static final String OF_TOMCAT = "\\d\\d[- ][A-Z][a-z]{2}[- ]\\d{4} " + CLOCK + ZONE;
  private static final String SHORT_CLOCK = "\\d\\d?:\\d\\d[AP]M";
  private static final String SINCE_1970 = "\\d{9,10}(?:\\.\\d{1,9})?|\\d{13}|\\d{16}|\\d{19}";

  /** Any of those with which a text begins. */
  static final String ANY =
      "(?:" + String.join("|", DATED, OF_SYSLOG, OF_TOMCAT, CLOCK, SHORT_CLOCK) + ")(?!\\w)";

  private static final int MAX_CHARS = 128;

  private static final Pattern VALUE =
      Pattern.compile(String.join("|", DATED, OF_SYSLOG, OF_TOMCAT, OF_SERVER, CLOCK, SINCE_1970));

  private LineTime() {}

  /** Whether the value of a field is a time. */
  static boolean isTime(String value) {
    return value.length() < MAX_CHARS && VALUE.matcher(value).matches();
  }
}
