package io.cordwood.cli.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which windows are counted when, whatever the clock does. */
final class ScheduleTest {
  private static final Rule.Timing EACH_MINUTE =
      new Rule.Timing(
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          Duration.ofSeconds(30),
          Duration.ZERO,
          Duration.ofHours(4),
          Duration.ofMinutes(10));

  private static Instant at(String time) {
    return Instant.parse("2026-11-27T" + time + "Z");
  }

  private static List<Instant> ends(Schedule.Due due) {
    return due.ends();
  }

  @Test
  void aWindowEndsAtAMultipleOfItsLengthAndIsCountedADelayLaterOnce() {
    var schedule = new Schedule(EACH_MINUTE, at("10:00:00"));
    assertThat(schedule.take(at("10:01:29.999"))).isEqualTo(Schedule.Due.NOTHING);
    assertThat(ends(schedule.take(at("10:01:30")))).containsExactly(at("10:01:00"));
    assertThat(schedule.take(at("10:01:31"))).isEqualTo(Schedule.Due.NOTHING);
    assertThat(schedule.take(at("10:02:29"))).isEqualTo(Schedule.Due.NOTHING);
    assertThat(ends(schedule.take(at("10:02:31")))).containsExactly(at("10:02:00"));
  }

  @Test
  void theFirstWindowEverIsTheNewest() {
    var schedule = new Schedule(EACH_MINUTE, null);
    assertThat(ends(schedule.take(at("10:07:12")))).containsExactly(at("10:06:00"));
  }

  @Test
  void windowsThatARestartMissedAreCountedInOrderAndNoneTwice() {
    var schedule = new Schedule(EACH_MINUTE, at("10:00:00"));
    Schedule.Due due = schedule.take(at("10:03:40"));
    assertThat(due.ends()).containsExactly(at("10:01:00"), at("10:02:00"), at("10:03:00"));
    assertThat(due.skipped()).isZero();
    assertThat(schedule.take(at("10:03:41"))).isEqualTo(Schedule.Due.NOTHING);
  }

  @Test
  void afterALongStopTheNewestFiveAreCountedAndTheOthersCountAsSkipped() {
    var schedule = new Schedule(EACH_MINUTE, at("10:00:00"));
    Schedule.Due due = schedule.take(at("12:00:30"));
    assertThat(due.ends()).hasSize(Schedule.MAX_CAUGHT_UP).endsWith(at("12:00:00"));
    assertThat(due.skipped()).isEqualTo(120 - Schedule.MAX_CAUGHT_UP);
  }

  @Test
  void aClockThatJumpsForwardMakesOneWindowAndSkipsTheOthers() {
    var schedule = new Schedule(EACH_MINUTE, at("10:00:00"));
    schedule.take(at("10:01:30"));
    Schedule.Due due = schedule.take(at("10:01:31").plus(Duration.ofDays(365)));
    assertThat(due.ends()).hasSize(1);
    assertThat(due.skipped()).isEqualTo(365 * 24 * 60 - 1);
  }

  @Test
  void aClockThatIsSetBackALittleWaitsForTheNextWindow() {
    var schedule = new Schedule(EACH_MINUTE, at("10:00:00"));
    schedule.take(at("10:01:30"));
    assertThat(schedule.take(at("09:58:00"))).isEqualTo(Schedule.Due.NOTHING);
    assertThat(schedule.take(at("10:01:45"))).isEqualTo(Schedule.Due.NOTHING);
    assertThat(ends(schedule.take(at("10:02:30")))).containsExactly(at("10:02:00"));
  }

  @Test
  void aClockThatIsSetBackFarBeginsAnew() {
    var schedule = new Schedule(EACH_MINUTE, at("10:00:00"));
    schedule.take(at("10:01:30"));
    assertThat(ends(schedule.take(at("08:01:30")))).containsExactly(at("08:01:00"));
    assertThat(ends(schedule.take(at("08:02:30")))).containsExactly(at("08:02:00"));
  }

  @Test
  void aStateOfTheFutureBeginsAnew() {
    var schedule = new Schedule(EACH_MINUTE, at("23:00:00"));
    assertThat(ends(schedule.take(at("10:01:30")))).containsExactly(at("10:01:00"));
  }
}
