package io.cordwood.query.match;

import java.nio.charset.StandardCharsets;

/** Makes the matcher that suits a pattern. */
public final class Matchers {
  private Matchers() {}

  /**
   * The matcher for the pattern; compiling takes milliseconds at most for patterns people write.
   *
   * @throws PatternException if the pattern is too long, is not a regular expression of the kind
   *     that {@link RegexParser} reads, or would need too large a program
   */
  public static Matcher compile(PatternSpec spec) {
    checkLength(spec.pattern());
    checkUnicode(spec.pattern());
    if (spec.pattern().isEmpty()) {
      return new EverythingMatcher();
    }
    if (!spec.regex() && !spec.ignoreCase()) {
      return NeedleMatcher.ofLiteral(spec.pattern().getBytes(StandardCharsets.UTF_8));
    }
    return RegexMatchers.of(RegexParser.parse(spec));
  }

  private static void checkLength(String pattern) {
    int bytes = pattern.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > PatternSpec.MAX_PATTERN_BYTES) {
      throw new PatternException(
          "pattern: expected at most "
              + PatternSpec.MAX_PATTERN_BYTES
              + " bytes of UTF-8, found "
              + bytes);
    }
  }

  private static void checkUnicode(String pattern) {
    int[] characters = pattern.codePoints().toArray();
    for (int i = 0; i < characters.length; i++) {
      if (Character.getType(characters[i]) == Character.SURROGATE) {
        throw PatternException.at(i + 1, "Unicode text", "half of a surrogate pair");
      }
    }
  }
}
