package io.cordwood.store.consume;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Held by the consumer that gathers; the others wait for it in turn. For the consumers' threads.
 */
final class GatherTurn {
  private final ReentrantLock turn = new ReentrantLock(true);
  private long lastEndNanos = System.nanoTime() - Duration.ofHours(1).toNanos();

  /** Whether it is the caller's turn within a time; then {@link #release} has to follow. */
  boolean await(Duration longest) throws InterruptedException {
    return turn.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Something was gathered. For the one whose turn it is. */
  void gathered() {
    lastEndNanos = System.nanoTime();
  }

  /** How long ago the last gather ended. For the one whose turn it is. */
  Duration sinceLastGather() {
    return Duration.ofNanos(System.nanoTime() - lastEndNanos);
  }

  void release() {
    turn.unlock();
  }
}
