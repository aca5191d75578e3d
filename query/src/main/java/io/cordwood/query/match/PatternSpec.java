package io.cordwood.query.match;

import java.util.List;

/**
 * The patterns of a query: it finds records that match one of them. The empty pattern matches every
 * record; no pattern at all matches none.
 *
 * @param regex whether the patterns are regular expressions, see {@link RegexParser}; else they are
 *     literals
 * @param ignoreCase whether letters match in either case, by Unicode's simple folding as in RE2:
 *     {@code k} then matches U+212A (Kelvin) too and {@code s} U+017F (long s)
 */
public record PatternSpec(List<String> patterns, boolean regex, boolean ignoreCase, Extent extent) {
  /** The longest pattern accepted, in bytes of UTF-8. */
  public static final int MAX_PATTERN_BYTES = 4096;

  /** The most patterns accepted. */
  public static final int MAX_PATTERNS = 1000;

  /** The longest that all patterns may be together, in bytes of UTF-8. */
  public static final int MAX_TOTAL_BYTES = 32 * 1024;

  /** The required extent of a match in its record. */
  public enum Extent {
    /** Any part of it. */
    PART,

    /**
     * A part with no word character right before or after it: no letter, mark, digit or connecting
     * punctuation such as {@code _}, by Unicode.
     */
    WORD,

    /** All of it. */
    RECORD
  }

  public PatternSpec {
    patterns = List.copyOf(patterns);
  }

  /** Whether it is known, without a look at any record, that all of them match. */
  public boolean matchesEverything() {
    return extent == Extent.PART && patterns.contains("");
  }

  /** One pattern, to be found anywhere in a record. */
  public PatternSpec(String pattern, boolean regex, boolean ignoreCase) {
    this(List.of(pattern), regex, ignoreCase, Extent.PART);
  }

  public static PatternSpec literal(String pattern) {
    return new PatternSpec(pattern, false, false);
  }

  public static PatternSpec regex(String pattern) {
    return new PatternSpec(pattern, true, false);
  }
}
