package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion;
import io.cordwood.query.match.RegexNode.Chars;
import io.cordwood.query.match.RegexNode.Choice;
import io.cordwood.query.match.RegexNode.Group;
import io.cordwood.query.match.RegexNode.Repeat;
import io.cordwood.query.match.RegexNode.Sequence;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds the literals of a regular expression. If it folds, ASCII letters come out in lower case and
 * stand for both cases.
 */
final class LiteralExtractor {
  private static final int REPLACEMENT = 0xFFFD;

  /** Larger sets are not even tried: 16 literals are all that may come out, in both cases. */
  private static final int MAX_SET = 2 * LiteralSets.MAX_ALTERNATIVES;

  /** More alternatives are not even compared with one another. */
  private static final int MAX_CHOICES = 256;

  private final boolean fold;

  LiteralExtractor(boolean fold) {
    this.fold = fold;
  }

  LiteralSets of(RegexNode node) {
    return switch (node) {
      case Chars chars -> ofSet(chars.set());
      case Assertion assertion -> LiteralSets.exactly(LiteralSets.setOf(""), false);
      case Sequence sequence -> ofSequence(sequence.parts());
      case Choice choice -> ofChoice(choice.branches().stream().map(this::of).toList());
      case Repeat repeat -> ofRepeat(of(repeat.body()), repeat.min(), repeat.max());
      case Group group -> of(group.body());
    };
  }

  private LiteralSets ofSet(CodePoints set) {
    // U+FFFD stands for bytes of which no literal is known.
    if (set.size() > MAX_SET || set.contains(REPLACEMENT)) {
      return LiteralSets.UNKNOWN;
    }
    SortedSet<String> literals = new TreeSet<>();
    boolean bothCases = true;
    for (int i = 0; i < set.rangeCount(); i++) {
      for (int c = set.first(i); c <= set.last(i); c++) {
        literals.add(literal(c));
        bothCases &= !isAsciiLetter(c) || set.contains(c ^ 0x20);
      }
    }
    return LiteralSets.exactly(literals, !fold || bothCases);
  }

  private String literal(int codePoint) {
    byte[] bytes = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
    return new String(fold ? Ascii.lower(bytes) : bytes, StandardCharsets.ISO_8859_1);
  }

  private static boolean isAsciiLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private LiteralSets ofSequence(List<RegexNode> parts) {
    LiteralSets.Chain chain = new LiteralSets.Chain();
    parts.forEach(part -> chain.add(of(part)));
    return chain.end();
  }

  private static LiteralSets ofChoice(List<LiteralSets> branches) {
    boolean pure = branches.stream().allMatch(LiteralSets::pure);
    SortedSet<String> all = new TreeSet<>();
    boolean exact = true;
    for (LiteralSets branch : branches) {
      SortedSet<String> literals = branch.exact();
      exact &= literals != null;
      if (literals == null) {
        Optional<SortedSet<String>> best = branch.longestClause();
        if (best.isEmpty()) {
          return LiteralSets.UNKNOWN;
        }
        all.addAll(best.get());
      } else {
        all.addAll(literals);
      }
    }
    if (all.size() > MAX_CHOICES) {
      return LiteralSets.UNKNOWN;
    }
    if (exact && all.size() <= LiteralSets.MAX_ALTERNATIVES) {
      return LiteralSets.exactly(all, pure);
    }
    LiteralSets.Chain clause = new LiteralSets.Chain();
    clause.add(LiteralSets.exactly(LiteralSets.withoutLonger(all), false));
    clause.endRun();
    return clause.end();
  }

  private static LiteralSets ofRepeat(LiteralSets body, int min, int max) {
    if (min == 0) {
      boolean once = max == 1 && body.exact() != null;
      LiteralSets nothing = LiteralSets.exactly(LiteralSets.setOf(""), true);
      return once ? ofChoice(List.of(body, nothing)) : LiteralSets.UNKNOWN;
    }
    LiteralSets.Chain chain = new LiteralSets.Chain();
    for (int i = 0; i < min; i++) {
      chain.add(body);
    }
    if (max != min) {
      chain.endRun();
    }
    return chain.end();
  }
}
