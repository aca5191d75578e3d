package io.cordwood.query.template;

import io.cordwood.common.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Go's {@code printf}, with the verbs {@code s v q t d x f e g}; other verbs stay as they are. */
final class Printf {
  private static final Pattern VERB =
      Pattern.compile("%([-+ 0#]{0,5})(\\d{0,4})(?:\\.(\\d{0,4}))?([a-zA-Z%])");
  private static final int MAX_DIGITS = 100;

  private Printf() {}

  static String printed(String format, List<Object> values) {
    var made = new BoundedText();
    Matcher verb = VERB.matcher(format);
    int end = 0;
    int next = 0;
    while (verb.find()) {
      made.append(format, end, verb.start());
      end = verb.end();
      if (verb.group(4).equals("%")) {
        made.append("%");
      } else if (next < values.size() && "svqtdxfeg".contains(verb.group(4))) {
        made.append(shown(verb, values.get(next++)));
      } else {
        made.append(verb.group());
      }
    }
    return made.append(format, end, format.length()).toString();
  }

  private static String shown(MatchResult verb, Object value) {
    String flags = verb.group(1);
    int width = verb.group(2).isEmpty() ? 0 : Integer.parseInt(verb.group(2));
    int digits =
        verb.group(3) == null || verb.group(3).isEmpty() ? -1 : Integer.parseInt(verb.group(3));
    boolean left = flags.contains("-");
    String text = Value.text(value);
    return switch (verb.group(4)) {
      case "d" -> ofNumber(Long.toString(Value.whole(value)), flags, width);
      case "x" -> ofNumber(Long.toHexString(Value.whole(value)), flags, width);
      case "f", "e", "g" -> ofNumber(fraction(verb.group(4), digits, value), flags, width);
      case "q" -> TextFunctions.padded(Json.quoted(text), width, left);
      default ->
          TextFunctions.padded(digits < 0 ? text : TextFunctions.cut(digits, text), width, left);
    };
  }

  private static String fraction(String verb, int digits, Object value) {
    double number = Value.number(value);
    if (verb.equals("g")) {
      return Value.text(number);
    }
    int places = digits < 0 ? 6 : Math.min(digits, MAX_DIGITS);
    return String.format(Locale.ROOT, "%." + places + verb, number);
  }

  private static String ofNumber(String number, String flags, int width) {
    boolean negative = number.startsWith("-");
    String sign = negative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
    String digits = negative ? number.substring(1) : number;
    if (flags.contains("0") && !flags.contains("-")) {
      int most = Math.min(width, TextFunctions.MAX_WIDTH);
      digits = "0".repeat(Math.max(0, most - sign.length() - digits.length())) + digits;
    }
    return TextFunctions.padded(sign + digits, width, flags.contains("-"));
  }
}
