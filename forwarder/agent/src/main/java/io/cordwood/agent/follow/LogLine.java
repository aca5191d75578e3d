package io.cordwood.agent.follow;

import java.util.regex.Pattern;

/** Tells lines that loggers write from what runtimes print: by a time, a level, or a format. */
final class LogLine {
  private static final String LEVEL =
      "(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|FATAL|ALERT|EMERGENCY)";

  private static final Pattern FIRST =
      Pattern.compile(
          // a time of day early in the line
          "\\S.{0,47}?(?<!\\d)\\d\\d:\\d\\d:\\d\\d\\b"
              // a date, as 2026-11-26, 26/11/2026 or 26-Nov-2026
              + "|\\[?\\d{4}[-/.]\\d\\d[-/.]\\d\\d"
              + "|\\[?\\d\\d?[-/. ](?:\\d\\d|[A-Z][a-z]{2})[-/. ]\\d{4}"
              // a level, with what comes before it in brackets
              + "|(?:\\[[^\\]]{1,60}\\]\\s*){0,3}\\[?"
              + LEVEL
              + "(?:[\\]:|]|\\s|$)"
              + "|(?:trce|dbug|info|warn|fail|crit|debug|error|trace|warning): "
              // JSON, logfmt, syslog, klog, seconds since 1970
              + "|\\{\\s*\""
              + "|(?:ts|time|timestamp|t|level|lvl|severity)=\\S"
              + "|<\\d{1,3}>\\S"
              + "|[IWEF]\\d{4} "
              + "|\\[?\\d{10}(?:\\.\\d+|\\d{3})?\\]?\\s");

  private LogLine() {}

  static boolean isFirst(CharSequence line) {
    return FIRST.matcher(line).lookingAt();
  }
}
