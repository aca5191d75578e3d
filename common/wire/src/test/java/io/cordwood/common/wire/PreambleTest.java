package io.cordwood.common.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PreambleTest {
  private static final Labels LABELS =
      Labels.of(Map.of("host", "a", "x.y", "größe 100%\t\u202e\u0001", "empty", ""));

  private static Preamble parsed(String line) throws BadPreambleException {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    return ((Opening.Begun) Opening.look(bytes, false)).preamble();
  }

  @Test
  void labelsAreWordsOfTheirOwn() throws BadPreambleException {
    Preamble said = parsed("CORDWOOD/1 topic=a label.pod=web-1 label.x=a%20b%25=c label.y=größe");
    assertThat(said.labels().pairs())
        .isEqualTo(Map.of("pod", "web-1", "x", "a b%=c", "y", "größe"));
    assertThat(said.leavesForm()).isFalse();
  }

  @Test
  void labelsOfTheMostBytesFitInWhicheverWayTheyAreWritten() throws BadPreambleException {
    String value = "x".repeat(Labels.MAX_BYTES - 3);
    assertThat(parsed("CORDWOOD/1 label.a=" + "%78".repeat(value.length())).labels().pairs())
        .isEqualTo(Map.of("a", value));
  }

  @ParameterizedTest
  @CsvSource({
    "label.pod, 'expected label.NAME=VALUE, found \"label.pod\"'",
    "label.=x, 'expected a label''s name as [A-Za-z_][A-Za-z0-9_.-]{0,127}, found \"\"'",
    "label.topic=x, 'expected a label with another name, since each record has a topic'",
    "label.a=1 label.a=2, 'expected each label once, found a twice'",
    "label.a=%0A, 'expected a value of label a without line feed and NUL, found \"\\n\"'",
    "label.a=%FF, 'expected UTF-8 in the value of label a, found other bytes'",
    "label.a=%2, 'expected %XX in the value of label a, found a % without two hexadecimal digits'",
    "label.a=b times=kept, 'expected times=kept without labels, for batches, found both'",
  })
  void whatIsNoLabelIsRejected(String words, String why) {
    assertThatThrownBy(() -> parsed("CORDWOOD/1 " + words))
        .isInstanceOf(BadPreambleException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aNodeReadsWhatASenderWrites() throws BadPreambleException {
    for (int bits = 0; bits < 128; bits++) {
      boolean kept = (bits & 16) != 0;
      Preamble said =
          new Preamble(
              Optional.of("shop").filter(_ -> !kept),
              (bits & 2) != 0 ? Optional.of("cw_x") : Optional.empty(),
              (bits & 4) != 0,
              (bits & 8) != 0,
              (bits & 32) != 0,
              !kept && (bits & 64) != 0 ? LABELS : Labels.NONE,
              kept);
      byte[] line = said.line().getBytes(StandardCharsets.US_ASCII);
      assertThat(Opening.look(line, false)).isEqualTo(new Opening.Begun(said, line.length));
      assertThat(said.toString()).doesNotContain("cw_x");
    }
  }

  @Test
  void theWordsHaveAnOrder() {
    Preamble all =
        new Preamble(Optional.of("a"), Optional.of("cw_x"), true, true, true, Labels.NONE, true);
    assertThat(all.line())
        .isEqualTo("CORDWOOD/1 token=cw_x topic=a hints=1 clock=1 labels=1 times=kept\n");
    assertThat(all.isEmpty()).isFalse();
    assertThat(
            new Preamble(
                    Optional.empty(), Optional.empty(), false, false, false, Labels.NONE, false)
                .isEmpty())
        .isTrue();
  }
}
