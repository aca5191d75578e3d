package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When topics that nodes refuse are tried again. */
final class RefusedTopicsTest {
  private long now = -5;
  private final RefusedTopics topics = new RefusedTopics(() -> now);

  private void passSeconds(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  private String next() {
    return String.valueOf(topics.next(_ -> true));
  }

  @Test
  void oneAtATimeAfterPausesThatDouble() {
    topics.refused("a");
    topics.refused("b");
    topics.refused("b");
    assertThat(next()).isEqualTo("null");
    passSeconds(1);
    assertThat(next()).isEqualTo("a");
    assertThat(topics.waits("a")).isFalse();
    assertThat(topics.waits("b")).isTrue();
    assertThat(next()).isEqualTo("null");
    topics.refused("a");
    passSeconds(1);
    assertThat(next()).isEqualTo("null");
    passSeconds(1);
    assertThat(next()).isEqualTo("b");
    assertThat(topics.count()).isEqualTo(2);
    assertThat(topics.wereAllRefused(2)).isTrue();
    assertThat(topics.wereAllRefused(3)).isFalse();
  }

  @Test
  void theNextAtOnceWhenOneIsTaken() {
    topics.refused("a");
    topics.refused("b");
    passSeconds(1);
    assertThat(next()).isEqualTo("a");
    topics.taken("a");
    assertThat(next()).isEqualTo("b");
    topics.taken("b");
    assertThat(topics.areNone()).isTrue();
    assertThat(topics.count()).isZero();
  }

  @Test
  void noneOfWhichSomethingIsOnItsWay() {
    topics.refused("a");
    passSeconds(1);
    assertThat(topics.next(topic -> !topic.equals("a"))).isNull();
    assertThat(next()).isEqualTo("a");
  }

  @Test
  void atLeastTwiceAMinute() {
    topics.refused("a");
    for (int i = 0; i < 100; i++) {
      passSeconds(30);
      assertThat(next()).isEqualTo("a");
      topics.refused("a");
    }
  }
}
