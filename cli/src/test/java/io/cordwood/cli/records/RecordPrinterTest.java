package io.cordwood.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.SubMatches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RecordPrinterTest {
  private static String printed(RecordPrinter.Style style, boolean raw, String record)
      throws IOException {
    var out = new ByteArrayOutputStream();
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    try (var printer = new RecordPrinter(out, raw, style)) {
      printer.print("f:", bytes, 0, bytes.length);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static SubMatches numbers() {
    return SubMatches.of(PatternSpec.regex("[0-9]+"));
  }

  @Test
  void matchesAreColoured() throws IOException {
    var style = new RecordPrinter.Style(numbers(), false, "01;31");
    assertThat(printed(style, true, "took 15 ms, 7"))
        .isEqualTo("f:took \033[01;31m15\033[m ms, \033[01;31m7\033[m\n");
    assertThat(printed(style, true, "none")).isEqualTo("f:none\n");
  }

  @Test
  void onlyMatchesArePrintedEachOnALine() throws IOException {
    assertThat(printed(new RecordPrinter.Style(numbers(), true, null), true, "took 15 ms, 7"))
        .isEqualTo("f:15\nf:7\n");
    assertThat(printed(new RecordPrinter.Style(numbers(), true, "4"), true, "a 15"))
        .isEqualTo("f:\033[4m15\033[m\n");
  }

  @Test
  void coloursPassToATerminalAndWhatRecordsHoldDoesNot() throws IOException {
    var style = new RecordPrinter.Style(SubMatches.of(PatternSpec.literal("x\033[2J")), false, "1");
    assertThat(printed(style, false, "\033[31m x\033[2J \u009b\u00e9"))
        .isEqualTo("f:^[[31m \033[1mx^[[2J\033[m <9B>é\n");
  }

  @Test
  void recordsAreTheBytesThatTheyAreWithoutStyle() throws IOException {
    assertThat(printed(new RecordPrinter.Style(null, false, null), true, "\033 15\u00a0"))
        .isEqualTo("f:\033 15\u00a0\n");
  }
}
