package io.cordwood.common.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PeriodicTaskTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void aTaskThatFailsIsCountedAndDoneAgain() {
    var times = new AtomicInteger();
    Runnable failing =
        () -> {
          switch (times.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("expected: the test fails it");
            case 2 -> throw new AssertionError("expected: the test fails it");
            default -> {}
          }
        };
    try (var _ = PeriodicTask.start("failing", SHORT, registry, failing)) {
      await().until(() -> times.get() > 3);
    }
    double failures = registry.get(PeriodicTask.FAILURES).tag("task", "failing").counter().count();
    assertThat(failures).isEqualTo(2);
  }
}
