package io.cordwood.common.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ZoneTextTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 1, 31, 12, 0);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "Z|12:00",
        "z x|12:00",
        " UTC [7] LOG|12:00",
        " utc|12:00",
        " GMT|12:00",
        "+00|12:00",
        "+01|11:00",
        " +01 x|11:00",
        "+0100 x|11:00",
        "+01:00]|11:00",
        "-08 x|20:00",
        " -0700|19:00",
        "+05:30:15,x|06:29:45",
        "+01:00[Europe/Berlin]|11:00",
        " CET x|11:00",
        " [CET] x|11:00",
        " (UTC)|12:00",
        "  EST: x|17:00",
        " MSK|09:00",
        "[Europe/Berlin] x|11:00",
        " America/New_York x|17:00",
        " UTC+1 x|11:00",
        " GMT-0800 (PST)|20:00",
        " UTC+05:30|06:30",
        " NPT|06:15",
        " ACST|02:30",
        " NDT|14:30",
      })
  void aZoneIsRead(String behind, String utc) {
    ZoneText.Found found = ZoneText.after("12:00" + behind, 5).orElseThrow();
    Instant expected = Instant.parse("2026-01-31T" + (utc.length() == 5 ? utc + ":00" : utc) + "Z");
    assertThat(NOON.atZone(found.zone()).toInstant()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        " INFO x",
        " [7] LOG",
        " [main] x",
        "-INFO",
        " - x",
        " -1 x",
        " -12345 x",
        " -9999 x",
        " CETERUM",
        " CET-17 is done",
        " cst x",
        " UTC_x",
        " Foo/Bar x",
        " [CET x",
        " POST /",
        "   UTC",
        ",123 UTC",
      })
  void whatIsNoneIsNone(String behind) {
    assertThat(ZoneText.after("12:00" + behind, 5)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {" CST", " IST x", "BST", " [AST]", " (CDT)", " NOVT"})
  void aZoneThatMeansSeveralIsRefused(String behind) {
    assertThatThrownBy(() -> ZoneText.after("12:00" + behind, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected a zone that means one offset")
        .hasMessageContaining(behind.replaceAll("[^A-Z]", ""));
  }

  @Test
  void theMinusOfIsoIsOneToo() {
    byte[] utf8 = "12:00\u221208:00 x".getBytes(StandardCharsets.UTF_8);
    ZoneText.Found found =
        ZoneText.after(new String(utf8, StandardCharsets.ISO_8859_1), 5).orElseThrow();
    assertThat(found.zone().getId()).isEqualTo("-08:00");
    assertThat(found.end()).isEqualTo(utf8.length - 2);
  }
}
