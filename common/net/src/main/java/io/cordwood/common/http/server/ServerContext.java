package io.cordwood.common.http.server;

import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The state shared by all connections of one server.
 *
 * @param inFlight a permit for each request that may still begin
 * @param watchers a permit for each request of health or metrics that may begin beyond those: who
 *     watches a busy node must not take it for a dead one
 * @param compressors a permit for each answer that may still be compressed
 * @param handlers makes the virtual threads that handlers run on
 */
record ServerContext(
    HttpServerOptions options,
    Routes routes,
    HttpMetrics metrics,
    ResponseMemoryBudget budget,
    Semaphore inFlight,
    Semaphore watchers,
    Semaphore compressors,
    Connections connections,
    ThreadFactory handlers) {
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
