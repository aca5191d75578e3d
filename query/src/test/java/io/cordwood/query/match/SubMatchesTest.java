package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.cordwood.query.match.PatternSpec.Extent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubMatchesTest {
  private static final long SEED = 31;

  private static final String[] SIMPLE = {
    "a", "ab", "é", "a+", "[ab]c?", "-", "_1", "日", "a|ab", "k.*?c", "b*", "s.?", "[^a]b", ""
  };

  @Test
  void partsAreThoseOfALeftmostLongestSearch() {
    Random random = new Random(SEED);
    RandomRegex generator = new RandomRegex(random);
    for (int round = 0; round < 4_000; round++) {
      boolean ignoreCase = random.nextInt(3) == 0;
      List<String> patterns =
          IntStream.range(0, 1 + random.nextInt(2)).mapToObj(i -> generator.next(1)).toList();
      String any =
          patterns.stream()
              .map(pattern -> "(?:" + pattern.replaceAll("\\?P<n\\d+>", "?:") + ")")
              .collect(Collectors.joining("|"));
      Pattern oracle =
          Pattern.compile(any, Pattern.LONGEST_MATCH | (ignoreCase ? Pattern.CASE_INSENSITIVE : 0));
      SubMatches subMatches =
          SubMatches.of(new PatternSpec(patterns, true, ignoreCase, Extent.PART));
      String record = generator.record() + generator.record();
      var matcher = oracle.matcher(record);
      List<String> expected = new ArrayList<>();
      while (matcher.find()) {
        if (matcher.end() > matcher.start()) {
          expected.add(matcher.group());
        }
      }
      assertThat(texts(subMatches, record))
          .as("seed %d, round %d: %s in \"%s\"", SEED, round, patterns, record)
          .isEqualTo(expected);
    }
  }

  @Test
  void partsThatAreWordsAreThoseOfANaiveSearch() {
    Random random = new Random(SEED);
    RandomRegex generator = new RandomRegex(random);
    for (int round = 0; round < 3_000; round++) {
      String pattern =
          SIMPLE[random.nextInt(SIMPLE.length)] + SIMPLE[random.nextInt(SIMPLE.length)];
      var spec = new PatternSpec(List.of(pattern), true, false, Extent.WORD);
      String record = generator.record() + " " + generator.record();
      assertThat(texts(SubMatches.of(spec), record))
          .as("seed %d, round %d: %s in \"%s\"", SEED, round, pattern, record)
          .isEqualTo(naiveWords(pattern, record));
    }
  }

  private static List<String> naiveWords(String pattern, String record) {
    var matcher = java.util.regex.Pattern.compile(pattern).matcher(record);
    List<String> words = new ArrayList<>();
    for (int start = 0; start < record.length(); start++) {
      for (int end = record.length(); end > start; end--) {
        boolean word =
            (start == 0 || !Utf8.isWord(record.charAt(start - 1)))
                && (end == record.length() || !Utf8.isWord(record.charAt(end)));
        if (word && matcher.region(start, end).matches()) {
          words.add(record.substring(start, end));
          start = end - 1;
          break;
        }
      }
    }
    return words;
  }

  @ParameterizedTest
  @CsvSource({
    "a|ab, abab, ab+ab",
    "a*, baac, aa",
    "x?, abc, ''",
    "^a, aaa, a",
    "a$, aaa, a",
    "a+?, aaa, aaa", // greedy or not makes no difference
    "(a*)*b|c, aab c, aab+c",
    "[0-9]+, 'took 15 ms, 7 s', 15+7",
    ".*, anything, anything",
  })
  void partsOfARecord(String pattern, String record, String expected) {
    assertThat(String.join("+", texts(SubMatches.of(PatternSpec.regex(pattern)), record)))
        .isEqualTo(expected);
  }

  @Test
  void partsOfALiteralDoNotOverlap() {
    assertThat(SubMatches.of(PatternSpec.literal("aba")).in(Blocks.bytes("xababababax"), 1, 10))
        .containsExactly(1, 4, 5, 8);
  }

  @Test
  void noPartBeginsInsideACharacter() {
    assertThat(texts(SubMatches.of(PatternSpec.regex("[^é]x|x")), "éx")).containsExactly("x");
  }

  @Test
  void partsAreFoundInTimeLinearInTheRecord() {
    byte[] record = Blocks.bytes("a".repeat(1 << 20));
    for (String pattern : List.of("a|a.*b", "(a|aa)+$|a", "(a*)*b|a")) {
      assertThat(SubMatches.of(PatternSpec.regex(pattern)).in(record, 0, record.length))
          .isNotEmpty();
    }
  }

  private static List<String> texts(SubMatches subMatches, String record) {
    byte[] bytes = Blocks.bytes(record);
    int[] found = subMatches.in(bytes, 0, bytes.length);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < found.length; i += 2) {
      texts.add(new String(bytes, found[i], found[i + 1] - found[i], StandardCharsets.UTF_8));
    }
    return texts;
  }
}
