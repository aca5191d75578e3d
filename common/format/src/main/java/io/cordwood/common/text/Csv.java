package io.cordwood.common.text;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines of comma-separated values, as RFC 4180 has them. */
public final class Csv {
  private Csv() {}

  /** A line with its end. What is not there is empty, and an empty text is in quotes. */
  public static String line(List<? extends @Nullable Object> values) {
    return values.stream().map(Csv::value).collect(Collectors.joining(",", "", "\r\n"));
  }

  private static String value(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    String text = value.toString();
    boolean isPlain =
        !text.isEmpty()
            && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
