package io.cordwood.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the consumers of a store share.
 *
 * @param turn held by the one that gathers
 * @param pace when the last gather ended; guarded by the turn
 * @param stopping at zero when no more gathers are to begin
 */
record Consuming(
    StoreOptions options,
    StoreLog log,
    Claims claims,
    IngestClient client,
    DamagedBytes damaged,
    StoreMetrics metrics,
    ReentrantLock turn,
    Pace pace,
    CountDownLatch stopping) {

  static Consuming of(
      StoreOptions options,
      StoreLog log,
      Claims claims,
      IngestClient client,
      StoreMetrics metrics) {
    return new Consuming(
        options,
        log,
        claims,
        client,
        new DamagedBytes(log.folder().filesystem(), log.folder().damaged()),
        metrics,
        new ReentrantLock(true),
        new Pace(),
        new CountDownLatch(1));
  }

  /** When the last gather ended. */
  static final class Pace {
    private long lastEndNanos = System.nanoTime() - Duration.ofHours(1).toNanos();
  }

  void gatherEnded() {
    pace.lastEndNanos = System.nanoTime();
  }

  Duration sinceLastGather() {
    return Duration.ofNanos(System.nanoTime() - pace.lastEndNanos);
  }

  boolean isStopping() {
    return stopping.getCount() == 0;
  }

  void stop() {
    stopping.countDown();
  }

  /** Waits, but no longer than until the store stops. */
  void awaitStop(Duration longest) throws InterruptedException {
    boolean stopped = stopping.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    assert stopped || !longest.isNegative();
  }
}
