package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What groups match; java.util.regex, which takes no linear time, says the same. */
final class CapturesTest {
  private static @Nullable List<@Nullable String> groups(CaptureRun run, int names, String record) {
    byte[] bytes = ("x" + record + "x").getBytes(StandardCharsets.UTF_8);
    if (!run.find(bytes, 1, bytes.length - 1)) {
      return null;
    }
    List<@Nullable String> groups = new ArrayList<>();
    for (int i = 0; i < names; i++) {
      int from = run.start(i);
      groups.add(
          from < 0 ? null : new String(bytes, from, run.end(i) - from, StandardCharsets.UTF_8));
    }
    return groups;
  }

  private static @Nullable String group(String regex, String record) {
    List<@Nullable String> groups = groups(new CaptureRun(Captures.of(regex)), 1, record);
    return groups == null ? null : groups.getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          took (?<ms>\\d+) ms               ~ it took 15 ms, took 16 ms ~ 15
          took (?P<ms>\\d+) ms              ~ it took 15 ms             ~ 15
          took (?<ms>\\d+) ms               ~ it took no ms             ~
          <(?<a>.*?)>                      ~ <x> <y>                   ~ x
          <(?<a>.*)>                       ~ <x> <y>                   ~ x> <y
          (?U)<(?<a>.*)>                   ~ <x> <y>                   ~ x
          (?<a>x|xy)                       ~ xyz                       ~ x
          ^(?<a>\\S+)                       ~ a b                       ~ a
          (?<a>\\S+)$                       ~ a b                       ~ b
          \\b(?<a>b+)\\b                     ~ abb bb                    ~ bb
          (?:(?<a>\\d)|x)+                  ~ 12x                       ~ 2
          (?<a>J.rgen)                     ~ xJürgen                   ~ Jürgen
          (?i)user=(?<a>[^ ]*)             ~ USER=kim x                ~ kim
          (?<a>x*)                         ~ yx                        ~ ``
          (?<a>(a*)*)b                     ~ aaab                      ~ aaa
          """)
  void theLeftmostMatchCounts(String regex, String record, @Nullable String expected) {
    assertThat(group(regex, record)).as(regex).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void groupsAreThoseThatBacktrackingFinds(long seed) {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 400; i++) {
      String regex = "(?<g>" + regex(random, 3) + ")" + regex(random, 2);
      Pattern reference = Pattern.compile(regex, Pattern.DOTALL);
      var captures = Captures.of(regex);
      var run = new CaptureRun(captures);
      for (int j = 0; j < 20; j++) {
        String record = text(random);
        var matcher = reference.matcher(record);
        boolean found = matcher.find();
        @Nullable List<@Nullable String> groups = groups(run, 1, record);
        assertThat(groups != null).as("%s in %s", regex, record).isEqualTo(found);
        if (groups != null) {
          assertThat(groups.getFirst()).as("%s in %s", regex, record).isEqualTo(matcher.group("g"));
        }
      }
    }
  }

  private static String regex(SplittableRandom random, int depth) {
    var regex = new StringBuilder();
    int parts = 1 + random.nextInt(3);
    for (int i = 0; i < parts; i++) {
      String atom =
          switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> "a";
            case 1 -> "b";
            case 2 -> ".";
            case 3 -> "[ab]";
            case 4 -> "c";
            case 5 -> "(?:" + regex(random, depth - 1) + "|" + regex(random, depth - 1) + ")";
            default -> "(?:x" + regex(random, depth - 1) + ")";
          };
      List<String> repeats = List.of("", "", "", "*", "*?", "+", "+?", "?", "??", "{1,2}");
      // What repeats nothing at all is not the same everywhere.
      String repeat = atom.contains("|") ? "" : repeats.get(random.nextInt(repeats.size()));
      regex.append(atom).append(repeat);
    }
    return regex.toString();
  }

  private static String text(SplittableRandom random) {
    var text = new StringBuilder();
    int length = random.nextInt(12);
    for (int i = 0; i < length; i++) {
      text.append("aabbcx".charAt(random.nextInt(6)));
    }
    return text.toString();
  }

  @Test
  void patternsThatBacktrackForEverEndInLinearTime() {
    assertThat(group("(?<a>(x+x+)+)y", "x".repeat(CaptureRun.LOOKED_AT))).isNull();
    assertThat(group("(?<a>(x*)*)y", "x".repeat(1000) + "y")).hasSize(1000);
    assertThat(group("(?<a>(?:x?){100})$", "x".repeat(2000))).hasSize(100);
  }

  @Test
  void onlyTheBeginOfALongRecordIsLookedAt() {
    String before = " ".repeat(CaptureRun.LOOKED_AT - 3);
    assertThat(group("a(?<a>\\d)", before + "a12")).isEqualTo("1");
    assertThat(group("a(?<a>\\d)", "  " + before + "a12")).isNull();
    assertThat(group("(?<a>\\d)$", before + "1 2")).isEqualTo("2");
  }

  @Test
  void badPatternsAreRefused() {
    assertThatThrownBy(() -> Captures.of("(?<a>x"))
        .hasMessage(
            "pattern, character 7: expected \")\" for the group that begins at character 1,"
                + " found the end of the pattern");
    assertThatThrownBy(() -> Captures.of("(?<a>x)(?<a>y)"))
        .hasMessage("pattern, character 13: expected each name once, found \"a\" again");
    assertThatThrownBy(() -> Captures.of("(?<a>\\w{400})"))
        .hasMessageStartingWith("pattern: expected a program of at most 1000 instructions, found");
  }
}
