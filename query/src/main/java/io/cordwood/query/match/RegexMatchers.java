package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the matcher that suits a regular expression. */
final class RegexMatchers {
  private RegexMatchers() {}

  static Matcher of(Node node) {
    Program program = RegexCompiler.compile(node);
    if (matchesAtOnce(program)) {
      return new EverythingMatcher();
    }
    LiteralSets exact = new LiteralExtractor(false).of(node);
    LiteralSets folded = new LiteralExtractor(true).of(node);
    List<AnyOf> required = folded.required().stream().map(RegexMatchers::anyOf).toList();
    Optional<SearchPlan> plan = SearchPlan.best(exact, folded);
    RegexMatcher regex = new RegexMatcher(program, required);
    return plan.isPresent() ? new NeedleMatcher(plan.get(), regex, required) : regex;
  }

  private static boolean matchesAtOnce(Program program) {
    ProgramStepper stepper = new ProgramStepper(program);
    stepper.start();
    return stepper.takeMatched();
  }

  private static AnyOf anyOf(Iterable<String> clause) {
    List<byte[]> literals = new ArrayList<>();
    clause.forEach(literal -> literals.add(literal.getBytes(StandardCharsets.ISO_8859_1)));
    return new AnyOf(literals);
  }
}
