package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LevelTest {
  private static Level of(String record) {
    byte[] bytes = ("x" + record + "FATAL").getBytes(StandardCharsets.UTF_8);
    return Level.of(bytes, 1, bytes.length - 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"level\":\"error\",\"msg\":\"x\"}          | ERROR",
        "{\"msg\":\"ERROR\", \"level\" : \"Warning\"} | WARN",
        "{\"level\":30,\"pid\":50}                   | INFO",
        "{\"log.level\":\"TRACE\"}                   | DEBUG",
        "time=1 lvl=dbug severity=notice            | INFO",
        "level=                                     | NONE",
        "level                                      | NONE",
        "2026-01-31 12:00 WARN [main] no ERROR here | WARN",
        "WARNINGS ERRORS error info                 | NONE",
        "[ERROR] x                                  | ERROR",
        "- \u001b[31mERROR\u001b[0m x                 | ERROR",
        "- \u001b[31XERROR                            | NONE",
        "the level is high, SEVERE: x               | ERROR",
        "nothing at all                             | NONE",
      })
  void levelIsThatOfAFieldOrElseOfAWord(String record, Level level) {
    assertThat(of(record)).isEqualTo(level);
  }

  @Test
  void emptyRecordsHaveNoneAndLongOnesOnlyOneNearTheirBegin() {
    assertThat(of("")).isEqualTo(Level.NONE);
    assertThat(of("-".repeat(Level.LOOKED_AT - 6) + " ERROR")).isEqualTo(Level.ERROR);
    assertThat(of("-".repeat(Level.LOOKED_AT) + " ERROR")).isEqualTo(Level.NONE);
  }
}
