package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueueLockTest {
  @ParameterizedTest
  @CsvSource({
    "PT-1S, PT0S",
    "PT2H, PT2H",
    "PT240000H, PT240000H",
    "PT2562047788015215H, PT2562048H"
  })
  void aWaitIsAsLongAsItIsAskedToBe(Duration timeout, Duration expected) {
    long wait = QueueLock.deadlineNanos(timeout) - System.nanoTime();
    assertThat(Duration.ofNanos(wait)).isBetween(expected.minusHours(1), expected);
  }
}
