package io.cordwood.cli.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ReadFlags;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

final class ZoneFlagTest {
  private static ZoneFlag zone(String name) {
    return ReadFlags.into(new ZoneFlag(), "--tz", name);
  }

  @Test
  void timesWithoutAZoneAreOfTheOneThatIsGivenOrLocal() {
    String time = "2026-11-01T10:00";
    Instant local = LocalDateTime.parse(time).atZone(ZoneId.systemDefault()).toInstant();
    assertThat(new ZoneFlag().moment("--from", time)).isEqualTo(local);
    assertThat(zone("local").moment("--from", time)).isEqualTo(local);
    assertThat(zone("America/New_York").moment("--from", time)).isEqualTo("2026-11-01T15:00:00Z");
    assertThat(zone("+05:30").moment("--from", time)).isEqualTo("2026-11-01T04:30:00Z");
    assertThat(zone("+05:30").moment("--from", time + ":00Z")).isEqualTo("2026-11-01T10:00:00Z");
    ZoneFlag utc = ReadFlags.into(new ZoneFlag(), "--utc");
    assertThat(utc.moment("--from", time)).isEqualTo("2026-11-01T10:00:00Z");
    assertThatThrownBy(() -> utc.moment("--from", "soon"))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("--from: expected a time such as");
  }

  @Test
  void timesArePrintedAsTheyAreUnlessAZoneIsGiven() {
    String line = "2026-07-01T22:00:00.5Z a2026-07-01T22:00:00Z 3 2026-12-01T22:00:00Z";
    assertThat(new ZoneFlag().printedIn(line)).isEqualTo(line);
    assertThat(zone("UTC").printedIn(line)).isEqualTo(line);
    assertThat(zone("Europe/Berlin").printedIn(line))
        .isEqualTo("2026-07-02T00:00:00.5+02:00 a2026-07-01T22:00:00Z 3 2026-12-01T23:00:00+01:00");
  }

  @Test
  void whatIsNoZoneIsRefused() {
    assertThatThrownBy(() -> ZoneFlag.parse("Mars"))
        .hasMessage("expected a zone such as Europe/Berlin, +02:00, UTC or local, found \"Mars\"");
  }
}
