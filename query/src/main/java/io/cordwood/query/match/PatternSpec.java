package io.cordwood.query.match;

/**
 * What a user looks for. The empty pattern matches every record.
 *
 * @param regex whether the pattern is a regular expression, see {@link RegexParser}; else it is a
 *     literal
 * @param ignoreCase whether letters match in either case, by Unicode's simple folding as in RE2:
 *     {@code k} then matches U+212A (Kelvin) too and {@code s} U+017F (long s)
 */
public record PatternSpec(String pattern, boolean regex, boolean ignoreCase) {
  /** The longest pattern accepted, in bytes of UTF-8. */
  public static final int MAX_PATTERN_BYTES = 4096;

  public static PatternSpec literal(String pattern) {
    return new PatternSpec(pattern, false, false);
  }

  public static PatternSpec regex(String pattern) {
    return new PatternSpec(pattern, true, false);
  }
}
