package io.cordwood.query.match;

import io.cordwood.query.match.PatternSpec.Extent;
import java.nio.charset.StandardCharsets;

/** Makes the matcher that suits a pattern. */
public final class Matchers {
  private Matchers() {}

  /**
   * The matcher for the patterns; compiling takes milliseconds for patterns that people write.
   *
   * @throws PatternException if the patterns are too many or too long, are not regular expressions
   *     of the kind that {@link RegexParser} reads, or would need too large a program
   */
  public static Matcher compile(PatternSpec spec) {
    PatternTree tree = PatternTree.of(spec);
    if (!spec.and().isEmpty()) {
      return new AllMatcher(spec.each().stream().map(Matchers::compile).toList());
    }
    return isLiteral(spec)
        ? NeedleMatcher.ofLiteral(spec.patterns().getFirst().getBytes(StandardCharsets.UTF_8))
        : RegexMatchers.of(tree, spec.extent());
  }

  /** Whether the spec's one pattern is found as it stands, without anything else to look at. */
  static boolean isLiteral(PatternSpec spec) {
    return spec.patterns().size() == 1
        && !spec.patterns().getFirst().isEmpty()
        && !spec.regex()
        && !spec.ignoreCase()
        && spec.extent() == Extent.PART;
  }
}
