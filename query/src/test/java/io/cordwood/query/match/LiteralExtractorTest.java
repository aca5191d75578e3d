package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.AnyOf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiteralExtractorTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "error~error",
        "ERROR~error",
        "(?i)Error~error",
        "foo|bar~bar|foo",
        "foo|foobar~foo",
        "foo.*bar~foo & bar",
        "Failed password for (invalid user )?[a-z]+ from~failed password for  &  from",
        "blk_-?[0-9]+ size~blk_ & 0|1|2|3|4|5|6|7|8|9 &  size",
        "(WARN|ERROR).*ms~error|warn & ms",
        "(a.*foo|b.*bar)~bar|foo",
        "x{3}~xxx",
        "(ab){2,}c~abab & c",
        "gr[ae]y~gray|grey",
        "(?i)task~task|tas\u212a|taſk|taſ\u212a",
        "^err$~err",
        "\\bfoo\\b~foo",
        "a*~''",
        "a?~''",
        "[a-z]+~''",
        "foo|.*~''",
        "foo|~''",
        "x.?é~x & é",
        "id=[0-9]{2}7~id= & 0|1|2|3|4|5|6|7|8|9 & 7",
      })
  void whatMatchesMustContain(String pattern, String clauses) {
    assertThat(text(Matchers.compile(PatternSpec.regex(pattern)).required())).isEqualTo(clauses);
  }

  @Test
  void literalRequiresItselfInLowerCase() {
    assertThat(text(Matchers.compile(PatternSpec.literal("GET /X")).required()))
        .isEqualTo("get /x");
    assertThat(text(Matchers.compile(new PatternSpec("Ärger", false, true)).required()))
        .isEqualTo("Ärger|ärger");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "error~NeedleMatcher",
        "(?i)error~NeedleMatcher",
        "foo|bar~NeedleMatcher",
        "user [a-z]+ logged~NeedleMatcher",
        "[0-9]{3}\\.[a-f]+x~RegexMatcher",
        "^[A-Z].*[0-9]$~RegexMatcher",
        ".~RegexMatcher",
      })
  void theKernelIsUsedWhereItHelps(String pattern, String matcher) {
    assertThat(Matchers.compile(PatternSpec.regex(pattern)).getClass().getSimpleName())
        .isEqualTo(matcher);
  }

  private static String text(List<AnyOf> required) {
    return required.stream()
        .map(clause ->
            clause.literals().stream()
                .map(literal -> new String(literal, StandardCharsets.UTF_8))
                .collect(Collectors.joining("|")))
        .collect(Collectors.joining(" & "));
  }
}
