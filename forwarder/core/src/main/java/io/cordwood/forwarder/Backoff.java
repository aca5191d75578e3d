package io.cordwood.forwarder;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to pause before the next target is tried: not at all until each failed once, then for a
 * doubling time, shortened by up to a half at random, so that many senders do not come back at
 * once. Owned by the sender thread.
 */
final class Backoff {
  private static final int MAX_DOUBLINGS = 30;

  private final int targets;
  private final long minMillis;
  private final long maxMillis;
  private long failures;

  Backoff(int targets, Duration min, Duration max) {
    this.targets = targets;
    this.minMillis = min.toMillis();
    this.maxMillis = max.toMillis();
  }

  /** Something worked. */
  void reset() {
    failures = 0;
  }

  /** Counts a failure. */
  Duration pause() {
    failures++;
    if (failures % targets != 0) {
      return Duration.ZERO;
    }
    long doublings = Math.min(failures / targets - 1, MAX_DOUBLINGS);
    long millis = Math.min(minMillis << doublings, maxMillis);
    return Duration.ofMillis(millis - ThreadLocalRandom.current().nextLong(millis / 2 + 1));
  }
}
