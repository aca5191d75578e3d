package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Records in which each of several patterns is. */
final class AllMatcherTest {
  private static List<String> found(PatternSpec spec, List<String> records) {
    byte[] lines = String.join("\n", records).concat("\n").getBytes(StandardCharsets.UTF_8);
    return FoundLines.of(Matchers.compile(spec), lines);
  }

  @Test
  void itFindsWhatANaiveReaderFinds() {
    var random = new SplittableRandom(17);
    List<String> words = List.of("pay", "TIMEOUT", "order", "time", "a", "x");
    List<String> records =
        Stream.generate(() -> text(random, words, random.nextInt(5))).limit(500).toList();
    for (int i = 0; i < 200; i++) {
      boolean ignoreCase = random.nextBoolean();
      String first = text(random, words, random.nextInt(2));
      List<String> and =
          Stream.generate(() -> words.get(random.nextInt(words.size())))
              .limit(1 + random.nextInt(3))
              .toList();
      PatternSpec spec = new PatternSpec(first, false, ignoreCase).and(and);
      List<String> expected =
          records.stream()
              .filter(record ->
                  Stream.concat(Stream.of(first), and.stream())
                      .allMatch(word -> holds(record, word, ignoreCase)))
              .toList();
      assertThat(found(spec, records)).as(spec.toString()).isEqualTo(expected);
    }
  }

  private static String text(SplittableRandom random, List<String> words, int many) {
    return String.join(
        " ", Stream.generate(() -> words.get(random.nextInt(words.size()))).limit(many).toList());
  }

  private static boolean holds(String record, String word, boolean ignoreCase) {
    return ignoreCase
        ? record.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT))
        : record.contains(word);
  }

  @Test
  void eachIsRequiredOfABlock() {
    Matcher matcher = Matchers.compile(PatternSpec.literal("payment").and(List.of("timeout")));
    assertThat(matcher.required()).hasSize(2);
    assertThat(PatternSpec.literal("").and(List.of("a")).matchesEverything()).isFalse();
    assertThat(PatternSpec.literal("").and(List.of("")).matchesEverything()).isTrue();
  }

  @Test
  void eachIsShown() {
    byte[] record = "a timeout of payment".getBytes(StandardCharsets.UTF_8);
    PatternSpec spec = PatternSpec.literal("").and(List.of("payment", "timeout"));
    assertThat(SubMatches.of(spec).in(record, 0, record.length)).containsExactly(2, 9, 13, 20);
  }

  @Test
  void theyAreReadInTheSameWay() {
    PatternSpec regex = new PatternSpec("^a", true, true).and(List.of("b$"));
    assertThat(found(regex, List.of("Ab", "ab x", "xab", "aXB"))).containsExactly("Ab", "aXB");
  }
}
