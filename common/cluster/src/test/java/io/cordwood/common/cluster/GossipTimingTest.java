package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GossipTimingTest {
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 10})
  void silentNodesAreDroppedWhenTheGuideSaysSo(int members) {
    assertThat(GossipTiming.LAN.silence(members))
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(22));
    assertThat(GossipTiming.LOCAL.silence(members))
        .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(9));
  }

  @Test
  void probesThatOverlapAreRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new GossipTiming(second, second, second, second, second, second, second, 5))
        .withMessageContaining("ping timeout must be less");
  }
}
