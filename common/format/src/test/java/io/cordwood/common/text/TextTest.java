package io.cordwood.common.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TextTest {
  private static final Instant NOW = Instant.parse("2026-03-10T12:30:00Z");
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource({
    "now, 2026-03-10T12:30:00Z",
    "5m, 2026-03-10T12:25:00Z",
    "10m ago, 2026-03-10T12:20:00Z",
    "2h30m, 2026-03-10T10:00:00Z",
    "-3d, 2026-03-07T12:30:00Z",
    "- 90m, 2026-03-10T11:00:00Z",
    "now-3d, 2026-03-07T12:30:00Z",
    "now - 1h30m, 2026-03-10T11:00:00Z",
    "2w, 2026-02-24T12:30:00Z",
    "today, 2026-03-09T23:00:00Z",
    "yesterday, 2026-03-08T23:00:00Z",
    "tomorrow, 2026-03-10T23:00:00Z",
    "yesterday 14:00, 2026-03-09T13:00:00Z",
    "tomorrow 9:00, 2026-03-11T08:00:00Z",
    "9:00, 2026-03-10T08:00:00Z",
    "2026-03-01 9:00, 2026-03-01T08:00:00Z",
    "1 hour ago, 2026-03-10T11:30:00Z",
    "1 hour 30 min ago, 2026-03-10T11:00:00Z",
    "10mago, 2026-03-10T12:20:00Z",
    "5min, 2026-03-10T12:25:00Z",
    "1.5h, 2026-03-10T11:00:00Z",
    "2 months ago, 2026-01-10T12:30:00Z",
    "1y, 2025-03-10T12:30:00Z",
    "+5min, 2026-03-10T12:35:00Z",
    "now+5m, 2026-03-10T12:35:00Z",
    "@1700000000, 2023-11-14T22:13:20Z",
    "@1700000000.25, 2023-11-14T22:13:20.250Z",
    "14:05, 2026-03-10T13:05:00Z",
    "2026-03-01, 2026-02-28T23:00:00Z",
    "2026-03-01T00:00:00, 2026-02-28T23:00:00Z",
    "2026-03-01 08:00:00.25, 2026-03-01T07:00:00.250Z",
    "2026-03-01T08:00:00+02:00, 2026-03-01T06:00:00Z",
    "1772323200, 2026-03-01T00:00:00Z",
    "1772323200123, 2026-03-01T00:00:00.123Z",
    "1772323200123456, 2026-03-01T00:00:00.123456Z",
    "1772323200123456789, 2026-03-01T00:00:00.123456789Z",
  })
  void timesAreReadAsPeopleWriteThem(String text, Instant expected) {
    assertThat(Times.parse(text, NOW, ZONE)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "5",
        "5 parsecs",
        "2026-13-01",
        "25:00",
        "-",
        "--5m",
        "-5m ago",
        "now-",
        "now5m",
        "1.5y",
        "9999999.9w",
        "@",
        "yesterday noon",
        "-soon",
        "99999999999999999999"
      })
  void whatIsNoTimeIsRefusedWithExamples(String text) {
    assertThatThrownBy(() -> Times.parse(text, NOW, ZONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2026-01-31T12:00:00Z")
        .hasMessageContaining("\"" + text + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "250ms, PT0.25S",
    "30s, PT30S",
    "2h30m, PT2H30M",
    "7d, PT168H",
    "2w1d, PT360H",
    "0s, PT0S"
  })
  void durationsAreReadAsPeopleWriteThem(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
    assertThat(Durations.parse(Durations.exact(expected))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "h", "5 m", "1y", "-1s"})
  void whatIsNoDurationIsRefused(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .hasMessageContaining("250ms, 30s or 2h30m, found \"" + text + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "512, 512",
    "64KiB, 65536",
    "16MiB, 16777216",
    "16m, 16000000",
    "2GB, 2000000000",
    "1 TiB, 1099511627776"
  })
  void sizesAreReadAsPeopleWriteThem(String text, long expected) {
    assertThat(Sizes.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "-1", "1.5MiB", "16 bananas", "999999999999T"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatThrownBy(() -> Sizes.parse(text))
        .hasMessageContaining("64KiB or 16MiB, found \"" + text + "\"");
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "1023, 1023 B", "1536, 1.5 KiB", "16777216, 16.0 MiB"})
  void sizesAreWrittenWithABinaryUnit(long bytes, String expected) {
    assertThat(Sizes.format(bytes)).isEqualTo(expected);
  }
}
