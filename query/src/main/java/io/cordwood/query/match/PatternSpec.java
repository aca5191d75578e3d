package io.cordwood.query.match;

import java.util.List;
import java.util.stream.Stream;

/**
 * The patterns of a query: it finds records that match one of them, and all that have to be there
 * besides. The empty pattern matches every record; no pattern at all matches none.
 *
 * @param regex whether the patterns are regular expressions, see {@link RegexParser}; else they are
 *     literals
 * @param ignoreCase whether letters match in either case, by Unicode's simple folding as in RE2:
 *     {@code k} then matches U+212A (Kelvin) too and {@code s} U+017F (long s)
 * @param and patterns of which each has to match, too
 */
public record PatternSpec(
    List<String> patterns, boolean regex, boolean ignoreCase, Extent extent, List<String> and) {
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
    and = List.copyOf(and);
  }

  /** Patterns of which one is enough. */
  public PatternSpec(List<String> patterns, boolean regex, boolean ignoreCase, Extent extent) {
    this(patterns, regex, ignoreCase, extent, List.of());
  }

  /** A copy, but each record has to match all of these, too, as the patterns are read. */
  public PatternSpec and(List<String> others) {
    return new PatternSpec(patterns, regex, ignoreCase, extent, others);
  }

  /** All patterns, of which one is enough; a pattern that is in all records says nothing. */
  PatternSpec alternatives() {
    List<String> some =
        Stream.concat(patterns.stream(), and.stream()).filter(one -> !one.isEmpty()).toList();
    return new PatternSpec(some, regex, ignoreCase, extent);
  }

  /** One pattern for each of those that have to match, the alternatives first. */
  List<PatternSpec> each() {
    return Stream.concat(Stream.of(patterns), and.stream().map(List::of))
        .map(some -> new PatternSpec(some, regex, ignoreCase, extent))
        .toList();
  }

  /** Whether it is known, without a look at any record, that all of them match. */
  public boolean matchesEverything() {
    return extent == Extent.PART && patterns.contains("") && and.stream().allMatch(String::isEmpty);
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
