package io.cordwood.cli.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ReadFlags;
import org.junit.jupiter.api.Test;

class PriceFlagsTest {
  @Test
  void costsAreOfBothPricesAndHaveThreeDigits() {
    PriceFlags both = given("--request-price", "0.4", "--gb-price", "0.09");
    assertThat(both.cost(2_000_000, 3_000_000_000L)).contains("1.07");
    assertThat(both.cost(1, 0)).contains("0.000000400");
    assertThat(both.cost(0, 0)).contains("0");
    assertThat(given("--gb-price", "0.09").cost(2_000_000, 0)).contains("0");
    assertThat(given("--request-price", "5").cost(1_234_567, 9)).contains("6.17");
  }

  @Test
  void withoutAPriceNoCostIsTold() {
    assertThat(given().cost(1, 1)).isEmpty();
    given().refuse();
  }

  @Test
  void pricesOfASearchThatIsMadeAreRefused() {
    assertThatThrownBy(() -> given("--gb-price", "1").refuse())
        .isInstanceOf(CommandException.class)
        .hasMessage("expected --dry-run with --gb-price");
  }

  @Test
  void pricesAreNumbers() {
    assertThatThrownBy(() -> given("--gb-price", "-1"))
        .hasMessageContaining("expected a number such as 3 or 0.25, found \"-1\"");
  }

  private static PriceFlags given(String... arguments) {
    return ReadFlags.into(new PriceFlags(), arguments);
  }
}
