package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegexSyntaxTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "a(b~character 4: expected \")\" for the group that begins at character 2, found the end",
        "ab)~character 3: expected the end of the pattern or \"(\" before, found \")\"",
        "*a~character 1: expected something to repeat, found \"*\"",
        "a|+~character 3: expected something to repeat, found \"+\"",
        "a**~character 3: expected no second repetition: put the first into a group, found \"*\"",
        "[ab~character 4: expected \"]\" for the class that begins at character 1, found the end",
        "[b-a]~character 2: expected a range whose first character is not after its last",
        "[[:foo:]]~character 2: expected a POSIX class such as [:alpha:], found \"[\"",
        "[[.a.]]~character 2: expected \"\\[\" for a bracket, or a POSIX class such as [:alpha:]",
        "[x[=e=]]~character 3: expected \"\\[\" for a bracket, or a POSIX class such as [:alpha:]",
        "(a)\\1~character 5: expected no back-reference (it has no linear time), found \"1\"",
        "a(?=b)~character 4: expected no look-around (it has no linear time), found \"=\"",
        "a(?<!b)~character 4: expected no look-around (it has no linear time), found \"<\"",
        "(?x)a~character 3: expected one of the flags i, m, s, U, found \"x\"",
        "(?P<a b>c)~character 6: expected \">\" after the group's name, found \" \"",
        "a{1001}~character 2: expected a repetition of at most 1000, the smaller count first",
        "a{3,2}~character 2: expected a repetition of at most 1000, the smaller count first",
        "ab{,2}~character 4: expected a count before the comma, as in {0,2}, found \",\"",
        "\\<a~character 2: expected \\b for a border of a word, or the character alone, found"
            + " \"<\"",
        "a\\>~character 3: expected \\b for a border of a word, or the character alone, found"
            + " \">\"",
        "\\`a~character 2: expected \\A for the start of a record",
        "a\\'~character 3: expected \\z for the end of a record",
        "\\pX~character 3: expected a Unicode category or script, found \"X\"",
        "\\p{Klingon}~character 3: expected a Unicode category or script, found \"{\"",
        "\\x{110000}~character 3: expected hexadecimal digits of a character",
        "\\C~character 2: expected an escape that RE2 knows, found \"C\"",
        "a\\~character 3: expected another character, found the end of the pattern",
        "(((a{100}){100}){100})~expected a program of at most 32768 instructions, found more",
      })
  void errorsSayWhereWhatWasExpectedAndWhatWasFound(String pattern, String message) {
    assertThatThrownBy(() -> Matchers.compile(PatternSpec.regex(pattern)))
        .isInstanceOf(PatternException.class)
        .hasMessageStartingWith("pattern")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a{x",
        "{",
        "a{2",
        "a{,x}",
        "[\\<\\']",
        "[[.]",
        "[[=a]",
        "[]a]",
        "[^]a]",
        "[a-]",
        "[-a]",
        "a-z",
        "\\Qa.b\\E+",
        "\\Qa*",
        "(?i)A(?-i)b",
        "(?i:A)b",
        "(?s:.)",
        "(?U)a+",
        "x(?:)y",
        "|a",
        "a||b",
        "\\x41",
        "\\x{1F600}",
        "\\101",
        "\\07",
        "[\\d\\-x]",
        "[[:^alpha:]]",
        "\\P{Lu}",
        "\\p{^Greek}",
        "\\pN",
        "^*",
        "(?:^a)*b",
        "a\\.b",
        "[\\x{4e00}-\\x{9fff}]",
        "\\_",
        "[[:word:]]",
        "(?P<name>a)",
        "(?<name>a)",
        "\\a\\f\\v",
        "[a\\]b]",
        "\\z\\A",
        "((((a))))"
      })
  void whatRe2AcceptsIsAcceptedAndMeansTheSame(String pattern) {
    Pattern oracle = Pattern.compile(pattern);
    Matcher matcher = Matchers.compile(PatternSpec.regex(pattern));
    for (String text :
        new String[] {
          "",
          "a",
          "b",
          "A",
          "ab",
          "aB",
          "Ab",
          "xy",
          "a.b",
          "a*",
          "a{,2}",
          "a{x",
          "{",
          "a{2",
          "]",
          "-",
          "a-z",
          "😀",
          "\u0007",
          "é",
          "Σ",
          "中",
          "7",
          "_",
          "bbb",
          "\u0007\f\u000b",
          "x"
        }) {
      assertThat(Blocks.matches(matcher, text))
          .as("%s on %s", pattern, text)
          .isEqualTo(oracle.matcher(text).find());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a**", "(a", "a)", "[a", "[z-a]", "\\8", "(?=a)", "\\pX", "a{1001}", "\\y", "(?i", "+"
      })
  void whatRe2RefusesIsRefused(String pattern) {
    assertThatThrownBy(() -> Pattern.compile(pattern)).isInstanceOf(PatternSyntaxException.class);
    assertThatThrownBy(() -> Matchers.compile(PatternSpec.regex(pattern)))
        .isInstanceOf(PatternException.class);
  }

  @Test
  void patternOfAMebibyteIsRefused() {
    for (boolean regex : new boolean[] {false, true}) {
      PatternSpec spec = new PatternSpec("a".repeat(1 << 20), regex, false);
      assertThatThrownBy(() -> Matchers.compile(spec))
          .isInstanceOf(PatternException.class)
          .hasMessage("pattern: expected at most 4096 bytes of UTF-8, found 1048576");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "(?:", "[", "\\", "(a|", "x{", "(?i)", "a*(", "\\pL", "(?P<"})
  void longNonsenseEndsInAnErrorOrAMatcher(String part) {
    String pattern = part.repeat(PatternSpec.MAX_PATTERN_BYTES / part.length());
    try {
      Matchers.compile(PatternSpec.regex(pattern));
    } catch (PatternException refused) {
      assertThat(refused).hasMessageStartingWith("pattern");
    }
  }

  @Test
  void halfASurrogatePairIsRefused() {
    for (boolean regex : new boolean[] {false, true}) {
      assertThatThrownBy(() -> Matchers.compile(new PatternSpec("ab\ud83d!", regex, false)))
          .isInstanceOf(PatternException.class)
          .hasMessageContaining("character 3: expected Unicode text");
    }
  }

  @Test
  void nestedCountsOfNothingCompileAtOnce() {
    String pattern = "((((){1000}){1000}){1000}){1000}";
    assertThat(Matchers.compile(PatternSpec.regex(pattern))).isInstanceOf(EverythingMatcher.class);
  }
}
