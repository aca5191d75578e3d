package io.cordwood.ingest.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.event.EventTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who sent a message, and when, by its header. */
class SyslogHeaderTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static SyslogHeader header(String message, String now) {
    InstantSource clock = InstantSource.fixed(Instant.parse(now));
    var header = new SyslogHeader(new SyslogTime(clock, BERLIN));
    byte[] bytes = ("xx" + message + "  yy").getBytes(StandardCharsets.UTF_8);
    header.read(bytes, 2, bytes.length - 4);
    return header;
  }

  private static String summary(String message, String now) {
    SyslogHeader header = header(message, now);
    byte[] bytes = ("xx" + message).getBytes(StandardCharsets.UTF_8);
    return new String(
            bytes, header.hostFrom(), header.hostTo() - header.hostFrom(), StandardCharsets.UTF_8)
        + "|"
        + new String(
            bytes, header.appFrom(), header.appTo() - header.appFrom(), StandardCharsets.UTF_8)
        + "|"
        + (header.time().equals(EventTime.NONE) ? "" : header.time());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          <13>Nov 26 19:54:59 localhost a3164: one ; localhost|a3164|2026-11-26T18:54:59Z
          <27>Nov 26 19:56:55 39c80c6e0e77[3713]: err line ; |39c80c6e0e77|2026-11-26T18:56:55Z
          <134>Nov  6 19:50:28 localhost app[27118]: {"a":1} ; localhost|app|2026-11-06T18:50:28Z
          <134>Nov 26 19:50:28.25 h /usr/sbin/cron[1]: x ; h|/usr/sbin/cron|2026-11-26T18:50:28.250Z
          <14>Nov 26 19:50:28 host [main] INFO a.B - hello ; host||2026-11-26T18:50:28Z
          <14>Nov 26 19:50:28 host last message repeated ; host||2026-11-26T18:50:28Z
          <13>2026-11-26T19:54:59.123456+01:00 h app: x ; h|app|2026-11-26T18:54:59.123456Z
          <13>1 2026-11-26T19:54:59-02:30 h app 4 ID [a@1] x ; h|app|2026-11-26T22:24:59Z
          <13>1 2026-11-26T19:54:59Z - - - - - x ; ||2026-11-26T19:54:59Z
          <13>1 - h app - - - x ; h|app|
          <165>1 2003-10-11T22:14:15.003000001Z h app - - - ; h|app|2003-10-11T22:14:15.003000001Z
          <14>app: sysl 1 ; |app|
          <14>app[3]: sysl 1 ; |app|
          <14>no tag ; ||
          <13>Nov 31 19:54:59 h a: x ; ||
          <13>1 2026-13-26T19:54:59Z h a - - - x ; ||
          <192>Nov 26 19:54:59 h a: x ; ||
          Nov 26 19:54:59 h a: x ; ||
          {"a":1} ; ||
          <13>Nov 26 19:54:59 é a: x ; ||2026-11-26T18:54:59Z
          """)
  void headersSayWhoAndWhen(String message, String expected) {
    assertThat(summary(message, "2026-11-26T20:00:00Z")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "2027-01-01T00:10:00Z, Dec 31 23:59:59, 2026-12-31T22:59:59Z",
    "2026-12-31T22:59:00Z, Jan  1 00:00:01, 2026-12-31T23:00:01Z",
    "2028-02-29T12:00:00Z, Feb 29 13:00:00, 2028-02-29T12:00:00Z",
    "2027-01-15T12:00:00Z, Feb 29 13:00:00, 2028-02-29T12:00:00Z",
    "2026-07-01T12:00:00Z, Jul  1 14:00:00, 2026-07-01T12:00:00Z"
  })
  void aTimeWithoutAYearIsThatNearestToNow(String now, String time, Instant expected) {
    assertThat(header("<13>" + time + " h a: x", now).time()).isEqualTo(EventTime.of(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<134>Nov 26 19:50:28.25 localhost app[27118]: {}",
        "<13>1 2026-11-26T19:54:59.123-02:30 h app 4 ID [a@1] x",
        "<13>2026-11-26T19:54:59.123456+01:00 h app: x"
      })
  void anyBeginningOfAHeaderIsRead(String message) {
    for (int length = 0; length <= message.length(); length++) {
      assertThat(header(message.substring(0, length), "2026-11-26T20:00:00Z").senderEnd())
          .isLessThanOrEqualTo(length + 2);
    }
  }

  @Test
  void namesThatAreTooLongAreNoLabels() {
    String header = "<13>Nov 26 19:54:59 " + "h".repeat(256) + " " + "a".repeat(65) + ": x";
    assertThat(summary(header, "2026-11-26T20:00:00Z")).startsWith("||");
  }
}
