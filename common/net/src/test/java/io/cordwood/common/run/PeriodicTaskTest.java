package io.cordwood.common.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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

  @Test
  void nothingButTheMachinesErrorsEndsAGuardedTask() {
    var log = LoggerFactory.getLogger(PeriodicTaskTest.class);
    for (Throwable defect : List.of(new IllegalStateException("x"), new AssertionError("x"))) {
      Runnable task = PeriodicTask.guarded("do it", log, () -> sneak(defect));
      assertThatCode(task::run).doesNotThrowAnyException();
    }
    Runnable broken = PeriodicTask.guarded("do it", log, () -> sneak(new OutOfMemoryError("x")));
    assertThatThrownBy(broken::run).isInstanceOf(OutOfMemoryError.class);
  }

  private static void sneak(Throwable defect) {
    if (defect instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) defect;
  }
}
