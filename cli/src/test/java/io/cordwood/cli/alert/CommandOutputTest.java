package io.cordwood.cli.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.testing.Patience;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class CommandOutputTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private CommandOutput pass(String text) {
    var in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return CommandOutput.pass(in, new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @Test
  void outputIsPassedOnUpToABoundAndTheRestIsReadAndDropped() throws Exception {
    String line = "x".repeat(99) + "\n";
    CommandOutput output = pass(line.repeat(20_000));
    assertThat(output.lastLine(Patience.LONG)).startsWith("x");
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .startsWith(line)
        .hasSizeLessThan(CommandOutput.MAX_BYTES + 100)
        .endsWith("(the command printed more than 64 KiB; the rest is dropped)\n");
  }

  @Test
  void theLastLineIsOneWithoutControlCharactersAndCut() throws Exception {
    assertThat(pass("one\ntwo \u001b[1mbold\n\n").lastLine(Patience.LONG))
        .isEqualTo("two  [1mbold");
    assertThat(pass("y".repeat(1000)).lastLine(Patience.LONG)).isEqualTo("y".repeat(200) + "…");
    assertThat(pass("\n").lastLine(Patience.LONG)).isEmpty();
  }
}
