package io.cordwood.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TimePatternTest {
  private static final Instant NOW = Instant.parse("2026-02-10T12:00:00Z");

  private static OptionalLong find(String pattern, String line) {
    return TimePattern.parse(pattern, ZoneOffset.UTC, NOW).find(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "iso|2026-01-31T10:00:00Z start|2026-01-31T10:00:00Z",
        "iso|2026-01-31 10:00:00,123 INFO start|2026-01-31T10:00:00.123Z",
        "iso|[main] 2026-01-31 10:00:00.5 start|2026-01-31T10:00:00.500Z",
        "iso|2026-01-31T10:00:00.123456789+02:00 start|2026-01-31T08:00:00.123Z",
        "iso|2026-01-31 10:00:00 -0130 start|2026-01-31T11:30:00Z",
        "iso|2026-01-31 10:00 5 items|2026-01-31T10:00:00Z",
        "iso|build 2026-02-30 10:00:00, at 2026-01-31 10:00:00|2026-01-31T10:00:00Z",
        "iso|2026-01-31 10:00:00.123 UTC [7] LOG: x|2026-01-31T10:00:00.123Z",
        "iso|2026-01-31 10:00:00.123+00 x|2026-01-31T10:00:00.123Z",
        "iso|2026-01-31 10:00:00.123 CET [7] LOG: x|2026-01-31T09:00:00.123Z",
        "iso|2026-01-31 10:00:00 GMT x|2026-01-31T10:00:00Z",
        "iso|2026-01-31 10:00:00-08 x|2026-01-31T18:00:00Z",
        "iso|2026-01-31 10:00:00 EST|2026-01-31T15:00:00Z",
        "iso|2026-01-31T10:00+01:00[Europe/Berlin] x|2026-01-31T09:00:00Z",
        "iso|2026-01-31 10:00:00 [Europe/Berlin] x|2026-01-31T09:00:00Z",
        "iso|2026-01-31 10:00:00:250 x|2026-01-31T10:00:00.250Z",
        "iso|2026-01-31 10:00:00-INFO-x|2026-01-31T10:00:00Z",
        "iso|2026-01-31 10:00:00 POST /|2026-01-31T10:00:00Z",
        "iso|20260131T100000Z x|2026-01-31T10:00:00Z",
        "iso|20260131T100000,250+0100 x|2026-01-31T09:00:00.250Z",
        "clf|[31/Jan/2026:10:00:00 +01:00] x|2026-01-31T09:00:00Z",
        "clf|[31/Jan/2026:10:00:00 CET] x|2026-01-31T09:00:00Z",
        "clf|[31/Jan/2026:10:00:00] x|2026-01-31T10:00:00Z",
        "syslog|Jan 31 10:00:00 CET: %SYS-5|2026-01-31T09:00:00Z",
        "syslog|Jan 31 10:00:00.123 EST host x|2026-01-31T15:00:00Z",
        "syslog|Fri Jan 31 10:00:00 2025|2025-01-31T10:00:00Z",
        "syslog|Fri Jan 31 10:00:00 CET 2025 x|2025-01-31T09:00:00Z",
        "dd.MM.yyyy HH:mm|31.01.2026 10:00:30.5 CET x|2026-01-31T09:00:00Z",
        "clf|::1 - - [31/Jan/2026:10:00:00 +0100] \"GET /\"|2026-01-31T09:00:00Z",
        "syslog|Jan 31 10:00:00 host sshd[1]: x|2026-01-31T10:00:00Z",
        "syslog|Feb  1 10:00:00 host sshd[1]: x|2026-02-01T10:00:00Z",
        "syslog|Feb 11 11:59:59 host: within a day|2026-02-11T11:59:59Z",
        "syslog|Feb 11 12:00:01 host: last year's|2025-02-11T12:00:01Z",
        "syslog|Feb 29 10:00:00 host: of a leap year|2024-02-29T10:00:00Z",
        "unix|1700000000 x|2023-11-14T22:13:20Z",
        "unix|{\"ts\":1700000000.25}|2023-11-14T22:13:20.250Z",
        "unix|ts=1700000000123 x|2023-11-14T22:13:20.123Z",
        "unix|id 123456789 ts=1700000000123456789|2023-11-14T22:13:20.123Z",
        "dd.MM.yyyy HH:mm:ss|31.01.2026 10:00:00 x|2026-01-31T10:00:00Z",
        "yyyy-MM-dd HH:mm:ss,SSS|2026-01-31 10:00:00,001 x|2026-01-31T10:00:00.001Z",
        "MM/dd/yyyy hh:mm:ss a|01/31/2026 10:00:00 PM x|2026-01-31T22:00:00Z",
        "yyyyMMdd|20260131 x|2026-01-31T00:00:00Z",
      })
  void aTimeIsFoundWhereItIs(String pattern, String line, String time) {
    assertThat(find(pattern, line)).hasValue(Instant.parse(time).toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "iso|at com.example.Main.main(Main.java:17)",
        "iso|2026-13-01 10:00:00 x",
        "iso|2026-01-31",
        "clf|2026-01-31T10:00:00Z x",
        "unix|id 12345678 x",
        "unix|12345678901 x",
      })
  void whatIsNoTimeIsNone(String pattern, String line) {
    assertThat(find(pattern, line)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "iso|2026-01-31 10:00:00 CST x|CST",
        "iso|2026-01-31 10:00:00.5 IST|IST",
        "iso|2026-01-31 10:00:00.1234567891 x|\"1\"",
        "iso|2026-01-31T10:00:00Foo x|Foo",
        "iso|2026-01-31T10:00:00+25:00 x|+25:00",
        "iso|2026-01-31T10:00:00+1 x|+1",
        "iso|2026-01-31 10:00:00 PM x|PM",
        "clf|[31/Jan/2026:10:00:00 BST] x|BST",
        "syslog|Jan 31 10:00:00 AST host x|AST",
        "dd.MM.yyyy HH:mm:ss|31.01.2026 10:00:00 CST x|CST",
        "dd.MM.yyyy HH:mm:ss|31.01.2026 10:00:00 pm x|pm",
      })
  void whatChangesATimeAndIsNotUnderstoodIsRefused(String pattern, String line, String found) {
    assertThatThrownBy(() -> find(pattern, line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected a ")
        .hasMessageContaining(found);
  }

  @Test
  void aZoneThatAPatternNamesItselfIsReadByIt() {
    assertThat(find("yyyy-MM-dd HH:mm:ss 'CST'", "2026-01-31 10:00:00 CST x"))
        .hasValue(Instant.parse("2026-01-31T10:00:00Z").toEpochMilli());
    assertThat(find("yyyy-MM-dd HH:mm:ss z", "2026-01-31 10:00:00 CET x"))
        .hasValue(Instant.parse("2026-01-31T09:00:00Z").toEpochMilli());
  }

  @Test
  void aZoneBehindTheFirstBytesCounts() {
    String line = "x".repeat(TimePattern.MAX_BYTES - 1) + "2026-01-31 10:00:00.123 CET x";
    assertThat(find("iso", line))
        .hasValue(Instant.parse("2026-01-31T09:00:00.123Z").toEpochMilli());
  }

  @Test
  void aTimeBeyondTheFirstBytesIsNone() {
    String time = "2026-01-31 10:00";
    assertThat(find("iso", "x".repeat(TimePattern.MAX_BYTES - time.length()) + time)).isPresent();
    assertThat(find("iso", "x".repeat(TimePattern.MAX_BYTES) + time)).isEmpty();
  }

  @Test
  void aTimeIsTakenFromTheColumnOfTheLineBefore() {
    TimePattern pattern = TimePattern.parse("iso", ZoneOffset.UTC, NOW);
    assertThat(pattern.find("INFO  2026-01-31 10:00:00 a")).isPresent();
    assertThat(pattern.find("ERROR 2026-01-31 10:00:01 since 2026-01-30 10:00:00"))
        .hasValue(Instant.parse("2026-01-31T10:00:01Z").toEpochMilli());
    assertThat(pattern.find("2026-01-31 10:00:02 a"))
        .hasValue(Instant.parse("2026-01-31T10:00:02Z").toEpochMilli());
  }

  @Test
  void aTimeWithoutAZoneIsOfTheGivenOne() {
    TimePattern pattern = TimePattern.parse("iso", ZoneId.of("Asia/Tokyo"), NOW);
    assertThat(pattern.find("2026-01-31 10:00:00"))
        .hasValue(Instant.parse("2026-01-31T01:00:00Z").toEpochMilli());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HH:mm:ss",
        "yyyy-MM",
        "nonsense",
        "'open",
        "",
        "yyyy-MM-dd {",
        "yyyy-MM-dd hh:mm:ss",
        "yyyy-MM-dd mm:ss"
      })
  void whatIsNoPatternOfATimeIsRefused(String text) {
    assertThatThrownBy(() -> TimePattern.parse(text, ZoneOffset.UTC, NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected iso, clf, syslog, unix, or a pattern of letters")
        .hasMessageContaining("found \"" + text + "\"");
  }
}
