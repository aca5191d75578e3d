package io.cordwood.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ColourFlagTest {
  @ParameterizedTest
  @CsvSource({
    "AUTO, true, '', '', xterm, 01;31",
    "AUTO, false, '', '', xterm, ",
    "AUTO, true, 1, '', xterm, ",
    "AUTO, true, '', '', dumb, ",
    "ALWAYS, false, 1, '', dumb, 01;31",
    "NEVER, true, '', '', xterm, ",
    "ALWAYS, true, '', mt=32, xterm, 32",
    "ALWAYS, true, '', fn=1:ms=1;4:se=2, xterm, 1;4",
    "ALWAYS, true, '', 'mt=\033[2J', xterm, 01;31",
  })
  void colourIsChosenByFlagTerminalAndEnvironment(
      ColourFlag.When when,
      boolean terminal,
      String noColor,
      String grepColors,
      String term,
      @Nullable String expected) {
    assertThat(
            ColourFlag.parameters(
                when,
                terminal,
                name ->
                    switch (name) {
                      case "NO_COLOR" -> noColor;
                      case "GREP_COLORS" -> grepColors;
                      default -> term;
                    }))
        .isEqualTo(expected);
  }
}
