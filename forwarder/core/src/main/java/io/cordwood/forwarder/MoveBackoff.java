package io.cordwood.forwarder;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How soon a forwarder goes to another node again, whatever nodes tell it: after a move it stays
 * for half a minute, after the next one for a minute, and so on up to an hour; a look at a node
 * that came to nothing costs a second at first, and ten minutes in the end. Where it stayed for
 * four times as long as it had to, it begins anew. Owned by the sender thread.
 */
final class MoveBackoff {
  static final long MIN_STAY_NANOS = TimeUnit.SECONDS.toNanos(30);
  static final long MAX_STAY_NANOS = TimeUnit.HOURS.toNanos(1);
  static final long MIN_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long MAX_RETRY_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int CALM = 4;
  private static final int MAX_DOUBLINGS = 10;

  private final LongSupplier nanoTime;
  private int moves;
  private int failures;
  private long lastNanos;
  private long pauseNanos;

  MoveBackoff(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastNanos = nanoTime.getAsLong();
  }

  boolean mayLook() {
    return nanoTime.getAsLong() - lastNanos >= pauseNanos;
  }

  void moved() {
    forgetWhatIsLongAgo();
    pause(MIN_STAY_NANOS, moves++, MAX_STAY_NANOS);
    failures = 0;
  }

  void failed() {
    forgetWhatIsLongAgo();
    pause(MIN_RETRY_NANOS, failures++, MAX_RETRY_NANOS);
  }

  private void forgetWhatIsLongAgo() {
    if (nanoTime.getAsLong() - lastNanos > CALM * pauseNanos) {
      moves = 0;
      failures = 0;
    }
  }

  private void pause(long least, int doublings, long most) {
    long nanos = Math.min(least << Math.min(doublings, MAX_DOUBLINGS), most);
    lastNanos = nanoTime.getAsLong();
    pauseNanos = (long) (nanos * ThreadLocalRandom.current().nextDouble(0.75, 1));
  }
}
