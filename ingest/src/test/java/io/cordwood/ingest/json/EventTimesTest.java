package io.cordwood.ingest.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.event.EventTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times in every form that senders write. */
class EventTimesTest {
  @ParameterizedTest
  @CsvSource({
    "1795723200, 2026-11-26T20:00:00Z",
    "1795723200.5, 2026-11-26T20:00:00.500Z",
    "1.7957232E9, 2026-11-26T20:00:00Z",
    "1795723200123, 2026-11-26T20:00:00.123Z",
    "1795723200123456, 2026-11-26T20:00:00.123456Z",
    "1795723200123456789, 2026-11-26T20:00:00.123456789Z",
    "-1.5, 1969-12-31T23:59:58.500Z",
    "2026-11-26T20:00:00Z, 2026-11-26T20:00:00Z",
    "2026-11-26 20:00:00, 2026-11-26T20:00:00Z",
    "' 2026-11-26T20:00:00,25+01:00 ', 2026-11-26T19:00:00.250Z",
    "2026-11-26T20:00:00.123456789123-0130, 2026-11-26T21:30:00.123456789Z",
    "2554-07-21T23:34:33.709551615Z, 2554-07-21T23:34:33.709551615Z",
  })
  void areUnderstood(String text, String time) {
    assertThat(EventTimes.of(text)).hasToString(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "0",
        "0.0",
        "-",
        "e",
        "1e999999999",
        "1e-999999999",
        "--1",
        "1.2.3",
        "yesterday",
        "2026-11-26",
        "2026-11-26T20:00",
        "2026-13-26T20:00:00Z",
        "2026-02-30T20:00:00Z",
        "2026-11-26T24:00:00Z",
        "2026-11-26T20:00:00X",
        "2026-11-26T20:00:00Z more",
        "2026-11-26T20:00:00+1",
        "99999999999999999999999999999999999999999999999"
      })
  void othersAreNone(String text) {
    assertThat(EventTimes.of(text)).isEqualTo(EventTime.NONE);
  }
}
