package io.cordwood.cli.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class HistogramBarsTest {
  @Test
  void barsAreAsLongAsTheSumsOfTheirLines() {
    List<String> lines = List.of("10:00 80 0", "10:01 1 9", "10:02 0 0", "10:03 0 1", "11:00 5 6");
    assertThat(HistogramBars.drawn(lines))
        .containsExactly(
            "10:00 80 0 " + "█".repeat(40),
            "10:01  1 9 " + "█".repeat(5),
            "10:02  0 0",
            "10:03  0 1 ▌",
            "11:00  5 6 " + "█".repeat(5) + "▌");
    assertThat(HistogramBars.drawn(List.of())).isEmpty();
    assertThat(HistogramBars.drawn(List.of("10:00 1", "10:01 1000000")).getFirst()).endsWith(" ▏");
  }
}
