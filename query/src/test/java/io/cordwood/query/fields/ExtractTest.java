package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.query.match.FoundLines;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.PatternSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields that are groups of regular expressions. */
final class ExtractTest {
  private static final String TOOK = "took (?<ms>\\d+) ms(?: for (?<user>\\w+))?";

  private static Extract extract(String... regexes) {
    return Extract.parse(List.of(regexes));
  }

  private static Matcher where(Extract extract, String... conditions) {
    Where where = Where.parse(List.of(conditions), extract);
    return WhereMatchers.compile(PatternSpec.literal(""), false, where);
  }

  @Test
  void conditionsOnGroupsHoldForWhatTheyMatch() {
    byte[] lines =
        """
        it took 15 ms for kim, took 99 ms
        it took 7 ms
        took no ms ms=20
        {"ms":30,"msg":"TOOK 5 ms"}
        """
            .getBytes(StandardCharsets.UTF_8);
    assertThat(FoundLines.of(where(extract(TOOK), "ms>10"), lines))
        .containsExactly("it took 15 ms for kim, took 99 ms");
    assertThat(FoundLines.of(where(extract(TOOK), "ms<10 and user?=x"), lines))
        .containsExactly("it took 7 ms");
    assertThat(FoundLines.of(where(extract(TOOK), "user=kim"), lines)).hasSize(1);
    assertThat(FoundLines.of(where(extract(TOOK), "ms?>=100"), lines))
        .containsExactly("took no ms ms=20", "{\"ms\":30,\"msg\":\"TOOK 5 ms\"}");
    assertThat(FoundLines.of(where(extract("(?i)took (?<ms>\\d+)"), "ms=5"), lines)).hasSize(1);
  }

  @Test
  void aGroupCountsBeforeAFieldOfItsName() {
    byte[] lines = "level=info 10:00 ERROR x <warn>\n".getBytes(StandardCharsets.UTF_8);
    assertThat(FoundLines.of(where(extract("<(?<level>\\w+)>"), "level=warn"), lines)).hasSize(1);
    assertThat(FoundLines.of(where(extract("<(?<level>\\w+)>"), "level=info"), lines)).isEmpty();
    assertThat(FoundLines.of(where(extract("<(?<status>\\w+)>"), "status=warn"), lines)).hasSize(1);
  }

  @Test
  void itFindsWhatANaiveReaderFindsAndSkipsNoBlockOfIt() {
    var random = new SplittableRandom(11);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      String before = List.of("it ", "{\"a\":\"", "INFO x=1 ", "").get(random.nextInt(4));
      String verb = List.of("took", "TOOK", "takes").get(random.nextInt(3));
      String unit = List.of(" ms", "ms", " ms for kim", " s").get(random.nextInt(4));
      all.add(before + verb + " " + random.nextInt(30) + unit);
    }
    byte[] lines = String.join("\n", all).concat("\n").getBytes(StandardCharsets.UTF_8);
    Pattern reference = Pattern.compile(TOOK);
    for (int bound = 0; bound < 30; bound++) {
      int most = bound;
      Predicate<String> holds =
          line -> {
            var matcher = reference.matcher(line);
            return matcher.find() && Integer.parseInt(matcher.group("ms")) > most;
          };
      Matcher matcher = where(extract(TOOK), "ms>" + bound);
      List<String> expected = all.stream().filter(holds).toList();
      assertThat(FoundLines.of(matcher, lines)).isEqualTo(expected);
      for (AnyOf clause : matcher.required()) {
        assertThat(expected).allMatch(line -> isMet(clause, line));
      }
      assertThat(matcher.required()).isNotEmpty();
    }
  }

  private static boolean isMet(AnyOf clause, String line) {
    String folded = line.toLowerCase(Locale.ROOT);
    return clause.literals().stream()
        .anyMatch(literal -> folded.contains(new String(literal, StandardCharsets.UTF_8)));
  }

  @Test
  void parsedRecordsHaveGroups() {
    byte[] record = "it took 15 ms ms=1".getBytes(StandardCharsets.UTF_8);
    assertThat(ParsedRecord.of(record, 0, record.length, extract(TOOK)).fields())
        .containsExactlyEntriesOf(Map.of("ms", "15"));
  }

  @ParameterizedTest
  @CsvSource({
    "status/100, status=503, 500",
    "status/100, status=99, 0",
    "dur/100ms, dur=1.25s, 1.2",
    "n/10, n=-3, -10",
    "status/100, status=x, ",
    "status/100, level=info, ",
    "a/b, a/b=1, 1",
    "a/0, a/0=x, x",
    "level, 10:00:00 WARN x, warn",
    "topic, topic=x, shop",
  })
  void recordsAreCountedByValuesOrSteps(String by, String record, @Nullable String expected) {
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    byte @Nullable [] value =
        GroupField.parse(by, Extract.NONE)
            .value(
                new FieldFinder().in(bytes, 0, bytes.length),
                "shop".getBytes(StandardCharsets.UTF_8));
    assertThat(value == null ? null : new String(value, StandardCharsets.UTF_8))
        .isEqualTo(expected);
  }

  @Test
  void otherExpressionsAreRefused() {
    refused("expected a group with a name, such as (?<ms>\\d+), found none in \"(a)\"", "(a)");
    refused(
        "expected the name of a field that begins with a letter, but not topic or time, found"
            + " \"time\"",
        "(?<time>.)");
    refused(
        "expected the name of a field that begins with a letter, but not topic or time, found"
            + " \"1a\"",
        "(?<1a>.)");
    refused("expected each name once, found \"a\" again", "(?<a>.)", "x(?<a>.)");
    refused("pattern, character 7: expected \")\"", "(?<a>.");
    refused(
        "expected at most 8 regular expressions, found 9",
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
        "i");
    refused(
        "pattern: expected at most 4096 bytes of UTF-8, found 5006", "(?<a>.)" + "x".repeat(4999));
    refused("expected at most 32 groups, found 33", names("a", 16), names("b", 17));
  }

  private static String names(String name, int many) {
    var regex = new StringBuilder();
    for (int i = 0; i < many; i++) {
      regex.append("(?<").append(name).append(i).append(">.)");
    }
    return regex.toString();
  }

  private static void refused(String message, String... regexes) {
    assertThatThrownBy(() -> extract(regexes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}
