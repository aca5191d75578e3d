package io.cordwood.query.match;

import java.nio.charset.StandardCharsets;

/**
 * Finds which parts of a record match: from left to right without overlap, each the longest of the
 * matches that begin at its place (leftmost-longest, as POSIX has it and GNU grep does; whether a
 * repetition is greedy makes no difference). Parts without a byte are left out.
 *
 * <p>Takes time linear in the record, for all of its parts together. Safe for many threads.
 */
public interface SubMatches {
  /** The starts and the ends of the parts of the record {@code bytes[from, to)}, in turn. */
  int[] in(byte[] bytes, int from, int to);

  /**
   * Finds the parts that match one of the patterns, of which it may be that each has to match.
   *
   * @throws PatternException as {@link Matchers#compile} does
   */
  static SubMatches of(PatternSpec all) {
    PatternSpec spec = all.and().isEmpty() ? all : all.alternatives();
    PatternTree tree = PatternTree.of(spec);
    return Matchers.isLiteral(spec)
        ? new LiteralParts(spec.patterns().getFirst().getBytes(StandardCharsets.UTF_8))
        : new ProgramParts(RegexCompiler.compile(tree.whole()));
  }
}
