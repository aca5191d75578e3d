package io.cordwood.common.http.client;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory by which the windows of all calls of a node may be larger than at first. Thread-safe. */
final class WindowBudget {
  static final int MAX_BYTES = 32 << 20;

  private final AtomicInteger taken = new AtomicInteger();
  private final Counter narrowed;

  WindowBudget(MeterRegistry registry) {
    this.narrowed =
        Counter.builder("cordwood.peer.narrowed")
            .description("Times that an answer's window stayed small, since others have the memory")
            .register(registry);
  }

  boolean take(int bytes) {
    boolean fits = taken.addAndGet(bytes) <= MAX_BYTES;
    if (!fits) {
      taken.addAndGet(-bytes);
      narrowed.increment();
    }
    return fits;
  }

  void release(int bytes) {
    taken.addAndGet(-bytes);
  }
}
