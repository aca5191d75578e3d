package io.cordwood.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Groups as labels, whatever records hold. */
final class GroupLinesTest {
  private static final Map<String, String> LABELS = Map.of("http.host", "http_host");

  private static Map<Map<String, String>, Long> read(String lines) throws IOException {
    return GroupLines.read(
        new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), LABELS);
  }

  private static String line(String value, int count) {
    return "{\"by\":{\"http.host\":%s},\"count\":%d}\n".formatted(value, count);
  }

  private static Map<String, String> host(String value) {
    return Map.of("http_host", value);
  }

  @Test
  void aFieldIsALabelAndOneThatIsNotThereIsNone() throws IOException {
    String lines = line("\"a\"", 2) + line("null", 1) + "{\"others\":3}\n{\"verdict\":\"x\"}\n";
    assertThat(read(lines)).isEqualTo(Map.of(host("a"), 2L, Map.of(), 1L));
  }

  @Test
  void namesOfFieldsBecomeLabelsOfPrometheus() {
    assertThat(GroupLines.label("http.status-code")).isEqualTo("http_status_code");
    assertThat(GroupLines.label("@pod")).isEqualTo("pod");
    assertThat(GroupLines.label("2xx")).isEqualTo("_2xx");
  }

  /** No generator of JSON writes half of a character. */
  @Test
  void aLongValueIsCutBetweenCharactersAndToldFromOthers() throws IOException {
    String odd = "x" + "\uD83D\uDE00".repeat(150);
    var groups = read(line('"' + odd + "1\"", 1) + line('"' + odd + "2\"", 1));
    assertThat(groups).hasSize(2);
    for (Map<String, String> group : groups.keySet()) {
      String value = group.getOrDefault("http_host", "");
      assertThat(value).hasSizeLessThan(GroupLines.MAX_VALUE + 15).startsWith("x\uD83D\uDE00");
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(value).doesNotContain("?");
    }
    String half = "\"a\\" + "ud83d\"";
    assertThat(read(line(half, 1))).isEqualTo(Map.of(host("a?"), 1L));
  }

  @Test
  void anAnswerOfSomeOtherProgramIsNone() {
    assertThatThrownBy(() -> read("{\"by\":{\"http.host\":"))
        .isInstanceOf(IOException.class)
        .hasMessage("expected groups in JSON, found something else");
  }
}
