package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first bytes of a connection, 0 for NUL and / for LF. */
final class LineEndTest {
  @ParameterizedTest
  @CsvSource({
    "a/, false, LF",
    "a/b, false, LF",
    "a/0, false, NUL",
    "a/0b, false, NUL",
    "a/b0, false, LF",
    "a0b/, false, LF",
    "a0, false, NUL",
    "a0b, false, UNKNOWN",
    "a0b, true, NUL",
    "a, false, UNKNOWN",
    "a, true, LF",
  })
  void isKnownByTheFirstLine(String start, boolean isAll, LineEnd end) {
    String text = start.replace('0', '\0').replace('/', '\n');
    assertThat(LineEnd.of(text.getBytes(StandardCharsets.US_ASCII), isAll)).isEqualTo(end);
  }
}
