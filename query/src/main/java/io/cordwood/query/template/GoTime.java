package io.cordwood.query.template;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatterBuilder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times in the form of an example, as Go has it: {@code 2006-01-02 15:04:05.000}; in UTC. */
final class GoTime {
  private static final Map<String, String> PARTS = new LinkedHashMap<>();

  static {
    PARTS.put("January", "MMMM");
    PARTS.put("Jan", "MMM");
    PARTS.put("Monday", "EEEE");
    PARTS.put("Mon", "EEE");
    PARTS.put("MST", "'UTC'");
    PARTS.put("2006", "yyyy");
    PARTS.put("Z07:00", "XXX");
    PARTS.put("-07:00", "xxx");
    PARTS.put("-0700", "xx");
    PARTS.put("01", "MM");
    PARTS.put("02", "dd");
    PARTS.put("03", "hh");
    PARTS.put("04", "mm");
    PARTS.put("05", "ss");
    PARTS.put("06", "yy");
    PARTS.put("15", "HH");
    PARTS.put("_2", "ppd");
    PARTS.put("PM", "a");
    PARTS.put(".000000000", ".SSSSSSSSS");
    PARTS.put(".000000", ".SSSSSS");
    PARTS.put(".000", ".SSS");
    PARTS.put("1", "M");
    PARTS.put("2", "d");
    PARTS.put("3", "h");
    PARTS.put("4", "m");
    PARTS.put("5", "s");
  }

  private static final long NANOS = 1_000_000_000;

  private static final Pattern PART =
      Pattern.compile(
          PARTS.keySet().stream().map(Pattern::quote).reduce((a, b) -> a + "|" + b).orElseThrow());

  private GoTime() {}

  /** A time, or a number of milliseconds since 1970, in the form of a layout. */
  static String shown(String layout, Object time) {
    var form = new DateTimeFormatterBuilder();
    Matcher part = PART.matcher(layout);
    int end = 0;
    while (part.find()) {
      form.appendLiteral(layout.substring(end, part.start()));
      form.appendPattern(PARTS.get(part.group()));
      end = part.end();
    }
    form.appendLiteral(layout.substring(end));
    return form.toFormatter(Locale.ROOT).format(instant(time).atOffset(ZoneOffset.UTC));
  }

  static long millis(Object time) {
    return instant(time).toEpochMilli();
  }

  /** The nearest there is. */
  static long nanos(Object time) {
    Instant instant = instant(time);
    long last = Long.MAX_VALUE / NANOS - 1;
    return Math.clamp(instant.getEpochSecond(), -last, last) * NANOS + instant.getNano();
  }

  /**
   * The time of a number since 1970: days, seconds, or parts of these, by how many digits it has.
   */
  static Instant ofEpoch(String number) {
    long since = Value.whole(number);
    int digits = Long.toString(Math.abs(since)).length();
    if (digits <= 5) {
      return Instant.ofEpochSecond(since * 86_400);
    }
    long perSecond = digits <= 11 ? 1 : digits <= 14 ? 1000 : digits <= 17 ? 1_000_000 : NANOS;
    return Instant.ofEpochSecond(
        Math.floorDiv(since, perSecond), Math.floorMod(since, perSecond) * (NANOS / perSecond));
  }

  private static Instant instant(Object time) {
    return time instanceof Instant instant ? instant : Instant.ofEpochMilli(years(time));
  }

  /** Years that no layout shows become the last that one does. */
  private static long years(Object time) {
    long last = 253_402_300_799_999L;
    return Math.clamp(Value.whole(time), -last, last);
  }
}
