package io.cordwood.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PreambleTest {
  @Test
  void aNodeReadsWhatASenderWrites() throws BadPreambleException {
    for (int bits = 0; bits < 64; bits++) {
      boolean kept = (bits & 16) != 0;
      Preamble said =
          new Preamble(
              Optional.of("shop").filter(_ -> !kept),
              (bits & 2) != 0 ? Optional.of("cw_x") : Optional.empty(),
              (bits & 4) != 0,
              (bits & 8) != 0,
              (bits & 32) != 0,
              kept);
      byte[] line = said.line().getBytes(StandardCharsets.US_ASCII);
      assertThat(Preamble.look(line, false)).isEqualTo(new Opening.Begun(said, line.length));
      assertThat(said.toString()).doesNotContain("cw_x");
    }
  }

  @Test
  void theWordsHaveAnOrder() {
    Preamble all = new Preamble(Optional.of("a"), Optional.of("cw_x"), true, true, true, true);
    assertThat(all.line())
        .isEqualTo("CORDWOOD/1 token=cw_x topic=a hints=1 clock=1 labels=1 times=kept\n");
    assertThat(all.isEmpty()).isFalse();
    assertThat(
            new Preamble(Optional.empty(), Optional.empty(), false, false, false, false).isEmpty())
        .isTrue();
  }
}
