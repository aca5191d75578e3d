package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatcherTest {
  private static final byte LF = '\n';
  private static final byte NUL = 0;
  private static final long SEED = 11;

  @Test
  void emptyPatternMatchesEveryRecord() {
    byte[] block = Blocks.of(List.of(Blocks.bytes(""), Blocks.bytes("a"), Blocks.bytes("")), LF);
    for (String pattern : List.of("", "a*", "x?|y", "()")) {
      Matcher matcher = Matchers.compile(PatternSpec.regex(pattern));
      assertThat(matcher).isInstanceOf(EverythingMatcher.class);
      assertThat(Blocks.matching(matcher, block, LF)).containsExactly(0, 1, 2);
      assertThat(matcher.find(block, block.length, block.length, LF)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(bytes = {LF, NUL})
  void literalsAreFoundAsARecordByRecordSearchFindsThem(byte delimiter) {
    Random random = new Random(SEED);
    for (int round = 0; round < 3_000; round++) {
      List<String> records =
          IntStream.range(0, random.nextInt(40))
              .mapToObj(i -> text(random, random.nextInt(30)))
              .toList();
      String literal = text(random, 1 + random.nextInt(4));
      boolean ignoreCase = random.nextBoolean();
      byte[] block = Blocks.of(records.stream().map(Blocks::bytes).toList(), delimiter);
      Matcher matcher = Matchers.compile(new PatternSpec(literal, false, ignoreCase));
      assertThat(Blocks.matching(matcher, block, delimiter))
          .as("seed %d, round %d, %s in %s", SEED, round, literal, records)
          .isEqualTo(expected(records, literal, ignoreCase));
    }
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("abABk.[é".charAt(random.nextInt(8)));
    }
    return text.toString();
  }

  private static List<Integer> expected(List<String> records, String literal, boolean ignoreCase) {
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      boolean found =
          ignoreCase
              ? lower(records.get(i)).contains(lower(literal))
              : records.get(i).contains(literal);
      if (found) {
        expected.add(i);
      }
    }
    return expected;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noMatchSpansRecords(boolean regex) {
    byte[] lines = Blocks.of(List.of(Blocks.bytes("a"), Blocks.bytes("b")), LF);
    byte[] nulEnded = Blocks.of(List.of(Blocks.bytes("x"), Blocks.bytes("a\nb")), NUL);
    Matcher newline = Matchers.compile(new PatternSpec("a\nb", regex, false));
    assertThat(newline.find(lines, 0, lines.length, LF)).isEqualTo(-1);
    assertThat(Blocks.matching(newline, nulEnded, NUL)).containsExactly(1);
    Matcher nul = Matchers.compile(new PatternSpec("x\0a", regex, false));
    assertThat(nul.find(nulEnded, 0, nulEnded.length, NUL)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "kelvin, '\u212aelvin', true",
    "\u212aelvin, 'kelvin', true",
    "task, 'TAſK', true",
    "ÉTÉ, 'été', true",
    "straße, 'STRAẞE', true",
    "i, 'İ', false",
    "σ, 'ς', true",
    "a[, 'A[', true",
    "a[, 'A{', false",
  })
  void caseIsFoldedByUnicodesSimpleFolding(String literal, String text, boolean matches) {
    assertThat(Blocks.matches(new PatternSpec(literal, false, true), text)).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({
    "^.$, FF, true", // a stray byte is one character
    "^..$, FF FE, true",
    "^.$, C3 A9, true", // é
    "^..$, C3 A9, false",
    "^.$, E2 82, true", // cut off: one character
    "^..$, E2 82 61, true",
    "^.$, ED A0 80, true", // a surrogate
    "^[^a]$, C0, true",
    "^[^é]$, E2 82, true",
    "^[^é]x, E2 82 78, true",
    "[^é]x, C3 A9 78, false", // no match begins inside a character
    "\\x{fffd}, 80, true",
    "é, C3, false",
    "a\\Bb, 61 62, true",
    "^\\B, C3 A9, true",
    "a\\B, 61 C3 A9, false",
  })
  void bytesThatAreNotUtf8CountAsReplacementCharacters(
      String pattern, String hex, boolean expected) {
    byte[] record = HexFormat.ofDelimiter(" ").parseHex(hex);
    byte[] block = Blocks.of(List.of(record), LF);
    int found = Matchers.compile(PatternSpec.regex(pattern)).find(block, 0, block.length, LF);
    assertThat(found >= 0).isEqualTo(expected);
  }

  @Test
  void linesInsideARecordHaveBordersInMultiLineMode() {
    byte[] block = Blocks.of(List.of(Blocks.bytes("one\ntwo\nthree")), NUL);
    for (String pattern : List.of("(?m)^two$", "one.two", "^one", "three$", "(?m)e$.^t")) {
      assertThat(Blocks.matching(Matchers.compile(PatternSpec.regex(pattern)), block, NUL))
          .as(pattern)
          .containsExactly(0);
    }
    for (String pattern : List.of("^two", "two$", "(?-s)one.two", "(?m)^wo")) {
      assertThat(Blocks.matching(Matchers.compile(PatternSpec.regex(pattern)), block, NUL))
          .as(pattern)
          .isEmpty();
    }
  }

  @Test
  void delimiterOtherThanLfOrNulIsRefusedByRegularExpressions() {
    Matcher matcher = Matchers.compile(PatternSpec.regex("^a.*b"));
    assertThatThrownBy(() -> matcher.find(new byte[] {'a', ';'}, 0, 2, (byte) ';'))
        .hasMessageContaining("expected LF or NUL");
  }

  @Test
  void twoThreadsShareAMatcher() throws Exception {
    Random random = new Random(SEED);
    RandomRegex generator = new RandomRegex(random);
    List<byte[]> records =
        IntStream.range(0, 20_000).mapToObj(i -> Blocks.bytes(generator.record())).toList();
    byte[] block = Blocks.of(records, LF);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (String pattern : List.of("[ab]+.[^c]{3,5}k$", "a.{6}b", "(a|k).*s|B\\b")) {
        List<Integer> alone =
            Blocks.matching(Matchers.compile(PatternSpec.regex(pattern)), block, LF);
        Matcher shared = Matchers.compile(PatternSpec.regex(pattern));
        Callable<List<Integer>> search = () -> Blocks.matching(shared, block, LF);
        for (Future<List<Integer>> each : threads.invokeAll(List.of(search, search, search))) {
          assertThat(each.get()).isEqualTo(alone).isNotEmpty();
        }
      }
    }
  }

  @Test
  void rangesInsideAnArrayAreRespected() {
    byte[] block = Blocks.bytes("needle\nhay\nneedle\n");
    for (PatternSpec spec : List.of(PatternSpec.literal("needle"), PatternSpec.regex("^ne+.*e$"))) {
      Matcher matcher = Matchers.compile(spec);
      assertThat(matcher.find(block, 7, 11, LF)).isEqualTo(-1);
      assertThat(matcher.find(block, 7, 18, LF)).isBetween(11, 17);
      byte[] behind = Arrays.copyOf(block, 100);
      assertThat(matcher.find(behind, 18, 18, LF)).isEqualTo(-1);
    }
  }

  @Test
  void warmupFindsItsRecords() {
    assertThat(KernelWarmup.run(Duration.ZERO)).isPositive();
  }
}
