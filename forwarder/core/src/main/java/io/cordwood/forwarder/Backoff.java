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

  private final long minMillis;
  private final long maxMillis;
  private int rounds;

  Backoff(Duration min, Duration max) {
    this.minMillis = min.toMillis();
    this.maxMillis = max.toMillis();
  }

  /** Something worked. */
  void reset() {
    rounds = 0;
  }

  /** Counts a round in which all targets have failed. */
  Duration pause() {
    long millis = Math.min(minMillis << rounds, maxMillis);
    rounds = Math.min(rounds + 1, MAX_DOUBLINGS);
    return Duration.ofMillis(millis - ThreadLocalRandom.current().nextLong(millis / 2 + 1));
  }
}
