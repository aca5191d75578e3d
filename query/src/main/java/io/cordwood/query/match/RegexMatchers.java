package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.query.match.PatternSpec.Extent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Makes the matcher that suits regular expressions, or literals that need more than a search. */
final class RegexMatchers {
  private RegexMatchers() {}

  static Matcher of(PatternTree tree, Extent extent) {
    Program program = RegexCompiler.compile(tree.whole());
    if (matchesAtOnce(program)) {
      return new EverythingMatcher();
    }
    List<AnyOf> required = required(tree).stream().map(RegexMatchers::anyOf).toList();
    Matcher matcher = of(tree.whole(), new RegexMatcher(program, required));
    return extent == Extent.WORD ? new WordMatcher(matcher, new ProgramParts(program)) : matcher;
  }

  private static Matcher of(RegexNode node, RegexMatcher regex) {
    LiteralSets exact = new LiteralExtractor(false).of(node);
    LiteralSets folded = new LiteralExtractor(true).of(node);
    Optional<SearchPlan> plan = SearchPlan.best(exact, folded);
    return plan.isPresent() ? new NeedleMatcher(plan.get(), regex, regex.required()) : regex;
  }

  private static boolean matchesAtOnce(Program program) {
    ProgramStepper stepper = new ProgramStepper(program);
    stepper.start();
    return stepper.takeMatched();
  }

  /**
   * The clauses of one pattern; of several patterns, the best clause of each, since one match is
   * enough.
   */
  private static List<SortedSet<String>> required(PatternTree tree) {
    LiteralExtractor extractor = new LiteralExtractor(true);
    if (tree.branches().size() == 1) {
      return extractor.of(tree.branches().getFirst()).required();
    }
    SortedSet<String> any = new TreeSet<>();
    for (RegexNode branch : tree.branches()) {
      Optional<SortedSet<String>> best = extractor.of(branch).longestClause();
      if (best.isEmpty()) {
        return List.of();
      }
      any.addAll(best.get());
    }
    return any.isEmpty() ? List.of() : List.of(any);
  }

  private static AnyOf anyOf(Iterable<String> clause) {
    List<byte[]> literals = new ArrayList<>();
    clause.forEach(literal -> literals.add(literal.getBytes(StandardCharsets.ISO_8859_1)));
    return new AnyOf(literals);
  }
}
