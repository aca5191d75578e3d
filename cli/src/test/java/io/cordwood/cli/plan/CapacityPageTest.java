package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The document on capacity has the parameters and formulas that are computed. */
final class CapacityPageTest {
  private static final Path PAGE = Path.of("../docs/capacity.md");

  private static List<String> rows() throws IOException {
    return Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();
  }

  @Test
  void parametersAreThoseOfTheModelEachWithItsSource() throws IOException {
    List<String> expected =
        Stream.of(Parameter.values())
            .map(each ->
                "| `%s` | %s | %s | %s | "
                    .formatted(each.symbol(), plain(each.usual()), each.unit(), each.meaning()))
            .toList();
    List<String> found = rows().subList(0, Parameter.values().length);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(found.get(i)).startsWith(expected.get(i));
      assertThat(found.get(i).substring(expected.get(i).length())).matches("[^|]{4,} \\|");
    }
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  @Test
  void figuresAreThoseOfTheModelWithTheFormulasThatAreComputed() throws IOException {
    List<String> found = rows().subList(Parameter.values().length, rows().size());
    List<String> ofQuestions = Figure.ofQuestions().stream().map(CapacityPageTest::row).toList();
    assertThat(found)
        .isEqualTo(
            Stream.concat(
                    Stream.of(Figure.values())
                        .map(CapacityPageTest::row)
                        .filter(row -> !ofQuestions.contains(row)),
                    ofQuestions.stream())
                .toList());
  }

  private static String row(Figure figure) {
    return "| `%s` | %s | %s | `%s` |"
        .formatted(figure.symbol(), figure.unit(), figure.meaning(), figure.formula());
  }
}
