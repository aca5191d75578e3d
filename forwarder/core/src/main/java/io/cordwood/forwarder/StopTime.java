package io.cordwood.forwarder;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time since the first of several appenders was stopped. Frameworks stop them one after the
 * other, and each sends meanwhile: so all of them together wait no longer than one. For any thread.
 */
public final class StopTime {
  private @Nullable Long firstNanos;

  /** Nought for the first that asks. */
  synchronized Duration passed() {
    long now = System.nanoTime();
    firstNanos = firstNanos == null ? (Long) now : firstNanos;
    return Duration.ofNanos(now - firstNanos);
  }

  /** Whether one was stopped: those that are started now are stopped at another time. */
  public synchronized boolean hasBegun() {
    return firstNanos != null;
  }
}
