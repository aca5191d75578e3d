package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Parts of texts are replaced as Go does; java.util.regex counts one empty part more. */
final class SubstitutionTest {
  private static final String[] REGEXES = {
    "a",
    "a+",
    "(a)(b)?",
    "a|ab",
    "(?:a|b)*b",
    "\\bb",
    "b\\b",
    "^a",
    "b$",
    "[^a]",
    "ä",
    ".",
    "a.*b|a"
  };

  private static String replaced(String regex, String text, String other) {
    var made = new StringBuilder();
    Substitution.ofParts(regex).replaceAll(text, other, made::append);
    return made.toString();
  }

  @Test
  void partsAreThoseThatJavaFinds() {
    var random = new SplittableRandom(45);
    for (int i = 0; i < 3000; i++) {
      String regex = REGEXES[random.nextInt(REGEXES.length)];
      var text = new StringBuilder();
      for (int n = random.nextInt(12); n > 0; n--) {
        text.append("aabbä ".charAt(random.nextInt(6)));
      }
      var pattern = Pattern.compile(regex);
      if (regex.equals("(?:a|b)*b") || !pattern.matcher("").find()) {
        assertThat(replaced(regex, text.toString(), "<$0>"))
            .as(regex + " in " + text)
            .isEqualTo(pattern.matcher(text).replaceAll("<$0>"));
      }
    }
  }

  @Test
  void anEmptyPartIsNoneAtTheEndOfAnother() {
    assertThat(replaced("a*", "baac", "-")).isEqualTo("-b-c-");
    assertThat(replaced("", "äb", "-")).isEqualTo("-ä-b-");
    assertThat(replaced("a*?", "aa", "-")).isEqualTo("-a-a-");
    assertThat(Substitution.ofParts("a*").count("baac")).isEqualTo(3);
  }

  /** One after the other, each part would take a look at all that follows. */
  @Test
  void manyPartsTakeAsLongAsOne() {
    String text = "a".repeat(CaptureRun.LOOKED_AT);
    var regex = Substitution.ofParts("(?:(?:a|a)*)*b|a");
    for (int i = 0; i < 20; i++) {
      assertThat(regex.count(text)).isEqualTo(CaptureRun.LOOKED_AT);
    }
    assertThat(replaced("a", text + "a", "")).isEqualTo("a");
  }
}
