package io.cordwood.query.fields;

import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;

/** Makes matchers of a pattern with conditions on fields. */
public final class WhereMatchers {
  private static final int MAX_LITERALS = 8;

  /** A search for more takes longer than it saves, in the records that a pattern leaves. */
  private static final int MAX_LITERALS_BESIDE_PATTERN = 2;

  private WhereMatchers() {}

  /**
   * The matcher for a pattern and conditions, some of which a batch's labels may decide. Without
   * conditions it is the pattern's own, and finds what is not wanted if that is inverted.
   *
   * @param invert whether records are wanted that do not match the pattern
   * @throws io.cordwood.query.match.PatternException if the pattern is refused
   */
  public static Matcher compile(PatternSpec pattern, boolean invert, Where where) {
    Matcher matcher = Matchers.compile(pattern);
    if (where.isEmpty()) {
      return matcher;
    }
    if (invert || pattern.matchesEverything()) {
      Matcher every = Matchers.compile(PatternSpec.literal(""));
      return new LabelledMatcher(where, MAX_LITERALS, every, invert ? matcher : null);
    }
    return new LabelledMatcher(where, MAX_LITERALS_BESIDE_PATTERN, matcher, null);
  }
}
