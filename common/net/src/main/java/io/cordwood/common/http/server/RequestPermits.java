package io.cordwood.common.http.server;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * How many requests a server answers at once.
 *
 * @param inFlight a permit for each that may still begin
 * @param watchers a permit for each of health or metrics that may begin beyond those: who watches a
 *     busy node must not take it for a dead one
 */
record RequestPermits(Semaphore inFlight, Semaphore watchers) {
  /** Requests of health and metrics beyond all others. */
  private static final int MAX_WATCHERS = 64;

  RequestPermits(int maxInFlight) {
    this(new Semaphore(maxInFlight), new Semaphore(MAX_WATCHERS));
  }

  /**
   * The permits that a request takes one of; null if too many are in flight. To be released when it
   * is over.
   */
  @Nullable Semaphore roomFor(String uri) {
    if (inFlight.tryAcquire()) {
      return inFlight;
    }
    return StandardRoutes.isFor(uri) && watchers.tryAcquire() ? watchers : null;
  }
}
