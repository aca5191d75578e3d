package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When origins that nodes refuse are tried again. */
final class RefusedOriginsTest {
  private long now = -5;
  private final RefusedOrigins origins = new RefusedOrigins(() -> now);

  private void passSeconds(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  private static Origin origin(String topic) {
    return new Origin(topic, Labels.NONE);
  }

  private String next() {
    Origin next = origins.next(_ -> true);
    return next == null ? "null" : next.topic();
  }

  @Test
  void oneAtATimeAfterPausesThatDouble() {
    origins.refused(origin("a"));
    origins.refused(origin("b"));
    origins.refused(origin("b"));
    assertThat(next()).isEqualTo("null");
    passSeconds(1);
    assertThat(next()).isEqualTo("a");
    assertThat(origins.waits(origin("a"))).isFalse();
    assertThat(origins.waits(origin("b"))).isTrue();
    assertThat(next()).isEqualTo("null");
    origins.refused(origin("a"));
    passSeconds(1);
    assertThat(next()).isEqualTo("null");
    passSeconds(1);
    assertThat(next()).isEqualTo("b");
    assertThat(origins.count()).isEqualTo(2);
    assertThat(origins.wereAllRefused(2)).isTrue();
    assertThat(origins.wereAllRefused(3)).isFalse();
  }

  @Test
  void theNextAtOnceWhenOneIsTaken() {
    origins.refused(origin("a"));
    origins.refused(origin("b"));
    passSeconds(1);
    assertThat(next()).isEqualTo("a");
    origins.taken(origin("a"));
    assertThat(next()).isEqualTo("b");
    origins.taken(origin("b"));
    assertThat(origins.areNone()).isTrue();
    assertThat(origins.count()).isZero();
  }

  @Test
  void noneOfWhichSomethingIsOnItsWay() {
    origins.refused(origin("a"));
    passSeconds(1);
    assertThat(origins.next(origin -> !origin.topic().equals("a"))).isNull();
    assertThat(next()).isEqualTo("a");
  }

  @Test
  void atLeastTwiceAMinute() {
    origins.refused(origin("a"));
    for (int i = 0; i < 100; i++) {
      passSeconds(30);
      assertThat(next()).isEqualTo("a");
      origins.refused(origin("a"));
    }
  }
}
