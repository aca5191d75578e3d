package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import io.cordwood.query.match.PatternSpec.Extent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several patterns at once, words and whole records: RE2/J says which records match. */
class SeveralPatternsTest {
  private static final byte LF = '\n';
  private static final long SEED = 23;
  private static final String NO_WORD = "[^\\pL\\pM\\p{Nd}\\p{Pc}]";

  @ParameterizedTest
  @EnumSource(Extent.class)
  void findTheRecordsThatRe2Finds(Extent extent) {
    Random random = new Random(SEED);
    RandomRegex generator = new RandomRegex(random);
    for (int round = 0; round < 1_500; round++) {
      boolean regex = random.nextBoolean();
      List<String> patterns =
          IntStream.range(0, 1 + random.nextInt(4))
              .mapToObj(i -> regex ? generator.next(1) : generator.record())
              .map(pattern -> regex ? pattern : pattern.substring(0, Math.min(3, pattern.length())))
              .toList();
      var spec = new PatternSpec(patterns, regex, random.nextInt(3) == 0, extent);
      List<String> records = IntStream.range(0, 30).mapToObj(i -> generator.record()).toList();
      byte[] block = Blocks.of(records.stream().map(Blocks::bytes).toList(), LF);
      assertThat(Blocks.matching(Matchers.compile(spec), block, LF))
          .as("seed %d, round %d, %s in %s", SEED, round, spec, records)
          .isEqualTo(expected(spec, records));
    }
  }

  private static List<Integer> expected(PatternSpec spec, List<String> records) {
    String any =
        spec.patterns().stream()
            .map(pattern -> spec.regex() ? pattern : Pattern.quote(pattern))
            // A group's name must not come twice.
            .map(pattern -> "(?:" + pattern.replaceAll("\\?P<n\\d+>", "?:") + ")")
            .collect(Collectors.joining("|", "(?:", ")"));
    String bordered =
        switch (spec.extent()) {
          case PART -> any;
          case WORD -> "(?:\\A|" + NO_WORD + ")" + any + "(?:\\z|" + NO_WORD + ")";
          case RECORD -> "\\A" + any + "\\z";
        };
    Pattern oracle = Pattern.compile(bordered, spec.ignoreCase() ? Pattern.CASE_INSENSITIVE : 0);
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (oracle.matcher(records.get(i)).find()) {
        expected.add(i);
      }
    }
    return expected;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 9, 300, PatternSpec.MAX_PATTERNS})
  void manyLiteralsAreFoundAsEachAloneIs(int count) {
    Random random = new Random(SEED + count);
    List<String> literals =
        IntStream.range(0, count).mapToObj(i -> text(random, 2 + random.nextInt(5))).toList();
    List<String> records =
        IntStream.range(0, 3_000).mapToObj(i -> text(random, random.nextInt(20))).toList();
    byte[] block = Blocks.of(records.stream().map(Blocks::bytes).toList(), LF);
    Matcher matcher = Matchers.compile(new PatternSpec(literals, false, false, Extent.PART));
    List<Integer> expected =
        IntStream.range(0, records.size())
            .filter(i -> literals.stream().anyMatch(records.get(i)::contains))
            .boxed()
            .toList();
    assertThat(Blocks.matching(matcher, block, LF))
        .as("seed %d, %s", SEED, literals)
        .isEqualTo(expected)
        .isNotEmpty();
    assertThat(matcher.required()).hasSize(1);
    for (int found : expected) {
      assertThat(matcher.required().getFirst().literals())
          .anyMatch(
              literal -> records.get(found).contains(new String(literal, StandardCharsets.UTF_8)));
    }
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint("acdefghijklmnopé日".codePointAt(random.nextInt(17)));
    }
    return text.toString();
  }

  @Test
  void literalsWithLongBeginningsInCommonAreFound() {
    List<String> literals =
        IntStream.range(0, 1_000).mapToObj(i -> "a".repeat(i % 30) + "b" + i).toList();
    Matcher matcher = Matchers.compile(new PatternSpec(literals, false, true, Extent.RECORD));
    assertThat(literals).allMatch(literal -> Blocks.matches(matcher, literal));
    assertThat(literals).noneMatch(literal -> Blocks.matches(matcher, literal + "_"));
  }

  @ParameterizedTest
  @CsvSource({
    "foo, foo, true",
    "foo, foobar foo, true",
    "foo, foobar, false",
    "foo, _foo, false",
    "foo, 'a-foo.', true",
    "foo, '„foo“', true", // no word characters, though beyond ASCII
    "ller, Müller, false",
    "M, Müller, false",
    "Müller, 'Herr Müller!', true",
    "foo, 'foo日', false",
    "foo, '日 foo', true",
    "a, 'a\u0301', false", // a mark belongs to its letter
    "'', ab, false",
    "'', 'ab ', true",
    "-, 'a-b', false",
    "-, '--', true",
  })
  void wordsHaveNoWordCharacterBesideThem(String literal, String record, boolean matches) {
    var spec = new PatternSpec(List.of(literal), false, false, Extent.WORD);
    assertThat(Blocks.matches(spec, record)).isEqualTo(matches);
  }

  @Test
  void wordBehindARecordThatOnlySeemedToMatchIsFound() {
    byte[] block = Blocks.bytes("ürz\nkürz\nrz\n");
    var spec = new PatternSpec(List.of("rz"), false, false, Extent.WORD);
    assertThat(Blocks.matching(Matchers.compile(spec), block, LF)).containsExactly(2);
  }

  @Test
  void bytesThatAreNotUtf8AreNoWordCharacters() {
    byte[] block = {(byte) 0xC3, 'f', 'o', 'o', (byte) 0x80, LF};
    var spec = new PatternSpec(List.of("foo"), false, false, Extent.WORD);
    assertThat(Blocks.matching(Matchers.compile(spec), block, LF)).containsExactly(0);
  }

  @ParameterizedTest
  @CsvSource({
    "80, true", // it continues nothing, and is no word character
    "8061, true",
    "6180, true",
    "618061, false",
    "61808061, true",
    "61C3A4, false",
    "61E282, true",
    "61E28261, false", // is one place, with words on both sides
    "61C2A061, false",
    "61C2A080, true",
  })
  void placeWithoutWordsBesideItIsNeverInsideACharacter(String record, boolean matches) {
    byte[] block = HexFormat.of().parseHex(record + "0A");
    var spec = new PatternSpec(List.of(""), false, false, Extent.WORD);
    assertThat(Blocks.matching(Matchers.compile(spec), block, LF)).hasSize(matches ? 1 : 0);
  }

  @Test
  void wholeRecordMayHoldLineFeeds() {
    byte[] block = Blocks.of(List.of(Blocks.bytes("a\nb"), Blocks.bytes("a")), (byte) 0);
    var spec = new PatternSpec(List.of("a"), false, false, Extent.RECORD);
    assertThat(Blocks.matching(Matchers.compile(spec), block, (byte) 0)).containsExactly(1);
  }

  @Test
  void noPatternMatchesNoRecord() {
    Matcher matcher = Matchers.compile(new PatternSpec(List.of(), false, false, Extent.PART));
    assertThat(Blocks.matches(matcher, "a")).isFalse();
    assertThat(Blocks.matches(matcher, "")).isFalse();
  }

  @Test
  void tooManyPatternsAreRefused() {
    var many =
        new PatternSpec(
            Collections.nCopies(PatternSpec.MAX_PATTERNS + 1, "a"), false, false, Extent.PART);
    assertThatThrownBy(() -> Matchers.compile(many))
        .isInstanceOf(PatternException.class)
        .hasMessage("expected at most 1000 patterns, found 1001");
    var large =
        new PatternSpec(Collections.nCopies(9, "a".repeat(4_000)), true, false, Extent.PART);
    assertThatThrownBy(() -> Matchers.compile(large))
        .isInstanceOf(PatternException.class)
        .hasMessage("all patterns together: expected at most 32768 bytes of UTF-8, found 36000");
  }
}
