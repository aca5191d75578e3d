package io.cordwood.common.ulid;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class UlidStamperTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private Instant now = NOON;
  private final UlidStamper stamper = new UlidStamper(() -> now);

  @Test
  void stampsGoOnWhileTheClockIsSetBackALittle() {
    Ulid first = stamper.stamp(10);
    now = NOON.minus(UlidStamper.MAX_AHEAD);
    assertThat(stamper.stamp(1)).isEqualTo(first.plus(10));
  }

  @Test
  void aClockThatWasFarAheadForASecondLeavesOnlyThatSecondsRecordsThere() {
    Ulid before = stamper.stamp(1);
    now = NOON.plusSeconds(3600);
    assertThat(stamper.stamp(1).time()).isEqualTo(now);
    now = NOON.plusSeconds(1);
    Ulid after = stamper.stamp(1);
    assertThat(after.time()).isEqualTo(now);
    assertThat(after).isGreaterThan(before);
    assertThat(stamper.stamp(1)).isEqualTo(after.plus(1));
  }
}
