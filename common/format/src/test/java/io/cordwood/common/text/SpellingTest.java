package io.cordwood.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpellingTest {
  private static final List<String> NAMES =
      List.of("--topic", "--to", "--from", "--since", "--api-port", "--fast-port", "-c", "grep");

  @ParameterizedTest
  @CsvSource({
    "--tpic, --topic",
    "--topci, --topic",
    "--Topic, --topic",
    "--form, --from",
    "--api_port, --api-port",
    "--fast, --fast-port",
    "--trim, ''",
    "grpe, grep",
    "gerp, grep",
    "--colour, ''",
    "-x, ''",
    "search, ''",
    "--topics-of-all-services, ''",
  })
  void nearestNameIsFoundIfItIsNear(String word, String expected) {
    assertThat(Spelling.nearest(word, NAMES).orElse("")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"abc, abc, 0", "abc, acb, 1", "abc, ab, 1", "abc, xbc, 1", "'', abc, 3", "ab, ba, 1"})
  void editsAreCounted(String from, String to, int expected) {
    assertThat(Spelling.edits(from, to)).isEqualTo(expected);
  }
}
