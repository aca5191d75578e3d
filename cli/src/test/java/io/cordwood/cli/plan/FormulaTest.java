package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Formulas are read as people read them. */
final class FormulaTest {
  private static final Map<String, Double> VALUES = Map.of("a", 3.0, "b_2", 4.0);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "1 + 2 * 3; 7",
        "(1 + 2) * 3; 9",
        "10 - 2 - 3; 5",
        "12 / 2 / 3; 2",
        "2 * a ^ 2; 18",
        "2 ^ 3 ^ 2; 512",
        "1 - min(1, a) ^ b_2; 0",
        "max(a, b_2) / 1e9; 4e-9",
        "ceil(a / 2) + log(1); 2",
        "0.75*b_2; 3",
      })
  void valuesAreThoseOfArithmetic(String formula, double value) {
    assertThat(Formula.parse(formula).of(VALUES)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "1 +; a number, a name or a parenthesis at character 3",
        "(1 + 2; ')' at character 6",
        "a b_2; an operator at character 2",
        "root(a); min, max, ceil or log before a parenthesis at character 6",
        "min(a); ',' at character 5",
      })
  void errorsSayWhatWasExpectedAndWhere(String formula, String expected) {
    assertThatThrownBy(() -> Formula.parse(formula))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(formula + ": expected " + expected);
  }

  @Test
  void aNameWithoutAValueIsAnError() {
    assertThatThrownBy(() -> Formula.parse("a + c").of(VALUES))
        .hasMessage("expected a value of c, found none");
  }
}
