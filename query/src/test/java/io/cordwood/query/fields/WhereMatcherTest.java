package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.RandomRecords.Sample;
import io.cordwood.query.match.FoundLines;
import io.cordwood.query.match.Haystack;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.PatternSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WhereMatcherTest {
  private static Haystack outsideTheHeap(byte[] bytes, byte[] array) {
    MemorySegment memory = Arena.ofAuto().allocate(bytes.length);
    return Haystack.of(memory.copyFrom(MemorySegment.ofArray(bytes)), array);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void itFindsWhatANaiveReaderFinds(long seed) {
    var random = new SplittableRandom(seed);
    var records = new RandomRecords(seed);
    List<Sample> samples = Stream.generate(records::next).limit(2000).toList();
    byte[] lines = RandomRecords.lines(samples);
    int all = 0;
    for (int i = 0; i < 150; i++) {
      RandomWhere where = RandomWhere.of(random, records);
      String pattern = random.nextInt(3) == 0 ? records.text().replaceAll("[\n\t]", "") : "";
      boolean invert = random.nextInt(5) == 0;
      Matcher matcher =
          WhereMatchers.compile(PatternSpec.literal(pattern), invert, Where.parse(where.texts()));
      List<String> expected =
          samples.stream()
              .filter(s -> where.holds().test(s) && s.text().contains(pattern) != invert)
              .map(Sample::text)
              .toList();
      String what =
          "seed %d: %s, %s%s".formatted(seed, where.texts(), invert ? "not " : "", pattern);
      Haystack haystack =
          random.nextBoolean() ? Haystack.of(lines) : outsideTheHeap(lines, new byte[lines.length]);
      assertThat(FoundLines.of(matcher, lines, haystack)).as(what).isEqualTo(expected);
      for (String text : expected) {
        assertThat(matcher.required()).as(what).allMatch(clause -> isMet(clause, text));
      }
      all += expected.size();
    }
    assertThat(all).isGreaterThan(1000);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void itFindsWhatANaiveReaderFindsInBatchesWithLabels(long seed) {
    var random = new SplittableRandom(seed);
    var records = new RandomRecords(seed);
    List<Sample> bare = Stream.generate(records::next).limit(300).toList();
    byte[] lines = RandomRecords.lines(bare);
    int all = 0;
    for (int i = 0; i < 100; i++) {
      RandomWhere where = RandomWhere.of(random, records);
      boolean invert = random.nextInt(5) == 0;
      String pattern = random.nextInt(3) == 0 ? "error" : "";
      Matcher matcher =
          WhereMatchers.compile(PatternSpec.literal(pattern), invert, Where.parse(where.texts()));
      for (int set = 0; set < 3; set++) {
        Labels labels = records.labels();
        List<String> expected =
            bare.stream()
                .filter(s -> where.holds().test(s.of(labels)))
                .map(Sample::text)
                .filter(text -> text.contains(pattern) != invert)
                .toList();
        String what = "seed %d: %s of %s".formatted(seed, where.texts(), labels);
        Matcher ofBatch = ((LabelledMatcher) matcher).of(labels);
        assertThat(FoundLines.of(ofBatch, lines, Haystack.of(lines))).as(what).isEqualTo(expected);
        String filtered = new String(labels.bytes(), StandardCharsets.UTF_8);
        for (String text : expected) {
          assertThat(matcher.required()).as(what).allMatch(c -> isMet(c, text + filtered));
        }
        all += expected.size();
      }
    }
    assertThat(all).isGreaterThan(1000);
  }

  @Test
  void recordsWithoutThePatternOrALiteralOfTheConditionsAreNotParsed() {
    byte[] lines =
        "GET level=info\nPUT level=fatal\nGET level=fatal\nGET level=info\nGET fatal\nGET\n"
            .getBytes(StandardCharsets.UTF_8);
    byte[] parsed = new byte[lines.length];
    Where where = Where.parse(List.of("level=fatal"));
    Matcher matcher = WhereMatchers.compile(PatternSpec.literal("GET"), false, where);
    assertThat(FoundLines.of(matcher, lines, outsideTheHeap(lines, parsed)))
        .containsExactly("GET level=fatal");
    assertThat(new String(parsed, StandardCharsets.UTF_8).replace("\0", ""))
        .isEqualTo("GET level=fatalGET fatal");
  }

  private static boolean isMet(AnyOf clause, String text) {
    String folded = text.toLowerCase(Locale.ROOT);
    return clause.literals().stream()
        .anyMatch(literal -> folded.contains(new String(literal, StandardCharsets.UTF_8)));
  }

  private static List<String> required(String... where) {
    Matcher matcher =
        WhereMatchers.compile(PatternSpec.literal(""), false, Where.parse(List.of(where)));
    return matcher.required().stream()
        .map(clause ->
            clause.literals().stream()
                .map(literal -> new String(literal, StandardCharsets.UTF_8))
                .toList()
                .toString())
        .toList();
  }

  @Test
  void blocksAreAskedForTheTextOrTheEscapesOfItsCharacters() {
    assertThat(required("k=Oops"))
        .containsExactly("[oops, \\u004f, \\u006f, \\u0070, \\u0073]", "[k, \\u006b]");
    assertThat(required("status=503")).containsExactly("[503, \\u0035, \\u0030, \\u0033]");
    assertThat(required("msg~'say \"hello\"'").getFirst()).startsWith("[hello, ");
    assertThat(required("a.kind>3")).containsExactly("[kind, \\u006b, \\u0069, \\u006e, \\u0064]");
    assertThat(required("k!=x")).containsExactly("[k, \\u006b]");
    assertThat(required("k?=x")).isEmpty();
    assertThat(required("k=aa", "k?=bb")).isEmpty();
    assertThat(required("k=aa", "k=bb")).containsExactly("[aa, \\u0061, bb, \\u0062]");
    assertThat(required("@pod=Web-1")).containsExactly("[pod=web-1]");
    assertThat(required("@pod in (a, b) and x?=1")).containsExactly("[pod=a, pod=b]");
    assertThat(required("@pod~web")).containsExactly("[pod=]", "[web]");
    assertThat(required("@pod!=web")).containsExactly("[pod=]");
    assertThat(required("@pod?=web")).isEmpty();
    assertThat(required("@pod=web", "k=aa")).containsExactly("[pod=web, aa, \\u0061]");
    assertThat(required("k~~'abc.*'").getFirst()).contains("abc", "\\u0061", "\\u0041");
  }

  @Test
  void textOfTooManyCharactersIsAskedForInPart() {
    assertThat(required("k=0123456789abcdefghij").getFirst())
        .startsWith("[0123456789abcde, \\u0030,")
        .endsWith("\\u0065]");
  }
}
