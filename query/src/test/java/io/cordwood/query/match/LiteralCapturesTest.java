package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.logql.Logql;
import io.cordwood.query.logql.Selected;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found as literals is what the expression's program finds. */
final class LiteralCapturesTest {
  private static final List<String> LITERALS =
      List.of(" ", "a", "ab", "  ", " - ", "  {", "{", "}", "\"", "é", "€", "x=");
  private static final List<String> PARTS =
      List.of(
          "(?<NAME>.*?)",
          ".*?",
          "(?<NAME>\\d+)",
          "(?<NAME>\\w*)",
          "[^\"]*",
          "(?<NAME>[^ ]+)",
          "(?<NAME>a{2,})",
          "\\s+",
          "(?<NAME>[ab]*?)");
  private static final List<byte[]> BYTES = new ArrayList<>();

  static {
    LITERALS.forEach(each -> BYTES.add(each.getBytes(StandardCharsets.UTF_8)));
    List.of("0", "17", "b", "\n", "\uFFFD", "\uD83D\uDE00")
        .forEach(each -> BYTES.add(each.getBytes(StandardCharsets.UTF_8)));
    for (int each : new int[] {0x80, 0xA9, 0xC3, 0xE2, 0xF0, 0xFF}) {
      BYTES.add(new byte[] {(byte) each});
    }
    BYTES.add(new byte[] {(byte) 0xE2, (byte) 0x82});
  }

  private final SplittableRandom random = new SplittableRandom(4);

  private <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private byte[] line(int most) {
    var line = new ByteArrayOutputStream();
    for (int i = random.nextInt(most); i > 0; i--) {
      line.writeBytes(oneOf(BYTES));
    }
    line.writeBytes(
        random.nextInt(4) == 0 ? "  {\"a\":1}".getBytes(StandardCharsets.UTF_8) : new byte[0]);
    return line.toByteArray();
  }

  private static List<Integer> places(CaptureRun run, int groups, byte[] line) {
    byte[] bytes = new byte[line.length + 2];
    System.arraycopy(line, 0, bytes, 1, line.length);
    bytes[0] = 'a';
    bytes[line.length + 1] = '\n';
    List<Integer> places = new ArrayList<>();
    if (run.find(bytes, 1, line.length + 1)) {
      for (int i = 0; i < groups; i++) {
        int start = run.start(i);
        places.add(start);
        places.add(start < 0 ? -1 : run.end(i));
      }
      places.add(0);
    }
    return places;
  }

  private void check(String regex, int lines, int most) {
    Captures captures = Captures.of(regex);
    CaptureRun fast = new CaptureRun(captures);
    CaptureRun slow = new CaptureRun(captures.byProgram());
    for (int i = 0; i < lines; i++) {
      byte[] line = line(most);
      int groups = captures.names().size();
      assertThat(places(fast, groups, line))
          .as(() -> regex + " in " + new String(line, StandardCharsets.ISO_8859_1))
          .isEqualTo(places(slow, groups, line));
    }
  }

  private static boolean isOfLiterals(String regex) {
    return Captures.of(regex).literals() != null;
  }

  /** As LogQL's pattern is translated. */
  private static String translated(String pattern) {
    String query = "{} | pattern \"" + pattern.replace("\"", "\\\"") + "\"";
    return Selected.of(Logql.logs(query)).changes().parts().extract().texts().getFirst();
  }

  @Test
  void patternsOfLogqlFindWhatTheirExpressionsFind() {
    for (int i = 0; i < 300; i++) {
      var pattern = new StringBuilder(random.nextBoolean() ? oneOf(LITERALS) : "");
      int parts = 1 + random.nextInt(4);
      for (int part = 0; part < parts; part++) {
        pattern.append(part > 0 && random.nextInt(4) == 0 ? "<_>" : "<p" + part + ">");
        pattern.append(part < parts - 1 || random.nextBoolean() ? oneOf(LITERALS) : "");
      }
      String regex = translated(pattern.toString());
      assertThat(isOfLiterals(regex)).as(pattern.toString()).isTrue();
      check(regex, 60, 30);
    }
  }

  @Test
  void partsBetweenLiteralsAreThoseOfTheExpression() {
    int ofLiterals = 0;
    for (int i = 0; i < 1500; i++) {
      var regex = new StringBuilder(random.nextInt(4) == 0 ? "^" : "").append(oneOf(LITERALS));
      int parts = 1 + random.nextInt(3);
      for (int part = 0; part < parts; part++) {
        regex.append(oneOf(PARTS).replace("NAME", "p" + part));
        regex.append(part < parts - 1 || random.nextBoolean() ? oneOf(LITERALS) : "");
      }
      regex.append(random.nextInt(3) == 0 ? "(?<rest>.*)" : "(?<none>b*)");
      String text = regex.toString().replace("{", "\\{").replace("a\\{2,}", "a{2,}");
      ofLiterals += isOfLiterals(text) ? 1 : 0;
      check(text, 40, 30);
    }
    assertThat(ofLiterals).isBetween(200, 1300);
  }

  @Test
  void recordsThatAreNotLookedAtAsAWholeAreSearchedByTheProgram() {
    byte[] longest = "x".repeat(CaptureRun.LOOKED_AT).getBytes(StandardCharsets.US_ASCII);
    for (String regex : List.of(translated("<p>y<q>"), "x(?<p>.*)", "x(?<p>.*?)y")) {
      Captures captures = Captures.of(regex);
      for (int length : new int[] {CaptureRun.LOOKED_AT, CaptureRun.LOOKED_AT - 1}) {
        byte[] line = new byte[length + 40];
        java.util.Arrays.fill(line, (byte) 'x');
        System.arraycopy(longest, 0, line, 0, length);
        assertThat(places(new CaptureRun(captures), captures.names().size(), line))
            .isEqualTo(places(new CaptureRun(captures.byProgram()), captures.names().size(), line));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a(?<p>[^\"]*)\"", "a(?<p>.*?)b", "a(?<p>a*)é"})
  void aRecordOfManyBeginningsTakesLinearTime(String regex) {
    assertThat(isOfLiterals(regex)).isTrue();
    var run = new CaptureRun(Captures.of(regex));
    byte[] line = "a".repeat(CaptureRun.LOOKED_AT).getBytes(StandardCharsets.US_ASCII);
    assertThat(run.find(line, 0, line.length)).isFalse();
    LiteralCaptures literals = LiteralCapturesReader.read(tree(regex)).orElseThrow();
    assertThat(literals.find(line, 0, line.length, new int[2]))
        .isEqualTo(LiteralCaptures.Result.UNKNOWN);
  }

  private static RegexNode tree(String regex) {
    return RegexParser.parseGroups(regex, new ArrayList<>());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "took (?<ms>\\d+) ms",
        "took (?P<ms>[0-9]+)ms",
        "user=(?<user>\\w+)",
        "status=(?<s>\\d+) ",
        "\"(?<path>[^\"]*)\"",
        "\"(?<verb>\\w+) (?<path>[^ ]+) .*?\" (?<rest>.*)",
        "^(?<ip>[^ ]+) - (?<user>[^ ]*) "
      })
  void theseAreOfLiterals(String regex) {
    assertThat(isOfLiterals(regex)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?<ms>\\d+) ms",
        "took (?<ms>\\d+)5",
        "a(?<p>.*)b",
        "a(?<p>.+?)b",
        "a(?<p>é*)b",
        "a(?<p>\\w+?)",
        "a(?<p>.*?)b(?<q>\\d+)",
        "(?i)a(?<p>\\d*)b",
        "a(?<p>\\d*)$",
        "a(?<p>\\d{1,3})b",
        "\uFFFD(?<p>\\d*)b"
      })
  void theseAreNot(String regex) {
    assertThat(isOfLiterals(regex)).isFalse();
  }
}
