package io.cordwood.store;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the consumers of a store share.
 *
 * @param turn held by the one that gathers
 * @param pace when the last gather ended; guarded by the turn
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
    Stopping stopping) {

  static Consuming of(
      StoreOptions options,
      StoreLog log,
      Claims claims,
      IngestClient client,
      StoreMetrics metrics,
      Stopping stopping) {
    return new Consuming(
        options,
        log,
        claims,
        client,
        new DamagedBytes(log.folder().filesystem(), log.folder().damaged()),
        metrics,
        new ReentrantLock(true),
        new Pace(),
        stopping);
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
}
