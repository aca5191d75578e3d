package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion;
import io.cordwood.query.match.RegexNode.Chars;
import io.cordwood.query.match.RegexNode.Choice;
import io.cordwood.query.match.RegexNode.Sequence;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * All the patterns of a query as trees.
 *
 * @param branches one tree a pattern, without what the extent asks for
 * @param whole one tree for all of them, with it
 */
record PatternTree(List<RegexNode> branches, RegexNode whole) {
  private static final RegexNode NOTHING = new Chars(CodePoints.NONE);

  /**
   * @throws PatternException if the patterns are too many, too long, or not what they should be
   */
  static PatternTree of(PatternSpec spec) {
    List<String> all = Stream.concat(spec.patterns().stream(), spec.and().stream()).toList();
    checkSize(all);
    all.forEach(PatternTree::checkUnicode);
    List<RegexNode> branches =
        spec.patterns().stream()
            .map(pattern -> RegexParser.parse(pattern, spec.regex(), spec.ignoreCase()))
            .toList();
    return new PatternTree(branches, bordered(spec.extent(), any(spec, branches)));
  }

  private static RegexNode any(PatternSpec spec, List<RegexNode> branches) {
    return switch (branches.size()) {
      case 0 -> NOTHING;
      case 1 -> branches.getFirst();
      default -> spec.regex() ? new Choice(branches) : LiteralTree.of(branches);
    };
  }

  private static RegexNode bordered(PatternSpec.Extent extent, RegexNode node) {
    return switch (extent) {
      case PART -> node;
      case WORD -> between(Assertion.Kind.WORD_BEGINS, node, Assertion.Kind.WORD_ENDS);
      case RECORD -> between(Assertion.Kind.RECORD_START, node, Assertion.Kind.RECORD_END);
    };
  }

  private static RegexNode between(Assertion.Kind first, RegexNode node, Assertion.Kind last) {
    return new Sequence(List.of(new Assertion(first), node, new Assertion(last)));
  }

  private static void checkSize(List<String> patterns) {
    if (patterns.size() > PatternSpec.MAX_PATTERNS) {
      throw PatternException.tooMuch(
          "expected at most %d patterns, found %d"
              .formatted(PatternSpec.MAX_PATTERNS, patterns.size()));
    }
    int all = 0;
    for (String pattern : patterns) {
      int bytes = pattern.getBytes(StandardCharsets.UTF_8).length;
      checkBytes("pattern", bytes, PatternSpec.MAX_PATTERN_BYTES);
      all += bytes;
    }
    checkBytes("all patterns together", all, PatternSpec.MAX_TOTAL_BYTES);
  }

  private static void checkBytes(String what, int found, int most) {
    if (found > most) {
      throw PatternException.tooMuch(
          "%s: expected at most %d bytes of UTF-8, found %d".formatted(what, most, found));
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
