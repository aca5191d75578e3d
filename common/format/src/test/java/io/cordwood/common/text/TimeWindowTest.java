package io.cordwood.common.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimeWindowTest {
  private static final Instant NOW = Instant.parse("2026-03-01T20:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "19:55:27, 2026-03-01T19:54:27Z, 2026-03-01T19:56:27Z",
    "19:55:27±30s, 2026-03-01T19:54:57Z, 2026-03-01T19:55:57Z",
    "yesterday 9:00 +-1h30m, 2026-02-28T07:30:00Z, 2026-02-28T10:30:00Z",
    "2026-01-31T12:00:00+01:00 +/- 5m, 2026-01-31T10:55:00Z, 2026-01-31T11:05:00Z",
    "5m±5s, 2026-03-01T19:54:55Z, 2026-03-01T19:55:05Z",
  })
  void bothEndsAreAsFarFromTheMoment(String text, Instant from, Instant to) {
    assertThat(TimeWindow.parse(text, NOW, ZoneOffset.UTC)).isEqualTo(new TimeWindow(from, to));
  }

  @Test
  void whatIsNoMomentOrNoDistanceIsNamed() {
    assertThatThrownBy(() -> TimeWindow.parse("noon±5m", NOW, ZoneOffset.UTC))
        .hasMessageContaining("found \"noon\"");
    assertThatThrownBy(() -> TimeWindow.parse("9:00±x", NOW, ZoneOffset.UTC))
        .hasMessageContaining("expected a duration such as 250ms, 30s or 2h30m, found \"x\"");
  }
}
