package io.cordwood.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong setting of the simulator says what was expected and what was found. */
final class SettingsTest {
  private static final String PROPERTY = "cordwood.settings.test";

  @AfterEach
  void clear() {
    System.clearProperty(PROPERTY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "abc", "1.5", "9223372036854775808"})
  void whatIsNoNumberIsRefused(String text) {
    System.setProperty(PROPERTY, text);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Settings.number(PROPERTY, 1))
        .withMessage(
            "-D%s: expected a number from 1 to 9223372036854775807, found '%s'", PROPERTY, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "1", "9", "10,", "10,x", "10000", "10 20"})
  void sizesThatAreNoneAreRefused(String text) {
    System.setProperty(PROPERTY, text);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Settings.sizes(PROPERTY, "10", 10))
        .withMessage(
            "-D%s: expected numbers of nodes from 10 to 9999, with commas between them, found '%s'",
            PROPERTY, text);
  }

  @Test
  void anySizeBetweenIsTaken() {
    System.setProperty(PROPERTY, "257,1001");
    assertThat(Settings.sizes(PROPERTY, "10", 10)).containsExactly(257, 1001);
  }
}
