package io.cordwood.query.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The lines that a matcher finds. */
public final class FoundLines {
  private static final byte LF = '\n';

  private FoundLines() {}

  public static List<String> of(Matcher matcher, byte[] lines) {
    return of(matcher, lines, Haystack.of(lines));
  }

  /**
   * Finds them in any kind of memory.
   *
   * @param haystack that has the same bytes
   */
  public static List<String> of(Matcher matcher, byte[] lines, Haystack haystack) {
    List<String> found = new ArrayList<>();
    for (int at = 0; at < lines.length; ) {
      int hit = matcher.find(haystack, at, lines.length, LF);
      if (hit < 0) {
        break;
      }
      int start = Records.startOf(lines, at, hit, LF);
      int end = Records.endOf(lines, hit, lines.length, LF);
      found.add(new String(lines, start, end - start, StandardCharsets.UTF_8));
      at = end + 1;
    }
    return found;
  }
}
