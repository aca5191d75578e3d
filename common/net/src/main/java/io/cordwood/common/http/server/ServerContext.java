package io.cordwood.common.http.server;

import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/**
 * The state shared by all connections of one server.
 *
 * @param compressors a permit for each answer that may still be compressed
 * @param handlers makes the virtual threads that handlers run on
 */
record ServerContext(
    HttpServerOptions options,
    Routes routes,
    HttpMetrics metrics,
    ResponseMemoryBudget budget,
    RequestPermits requests,
    Semaphore compressors,
    Connections connections,
    ThreadFactory handlers) {

  /** A copy for another port, whose requests count towards the same limits. */
  ServerContext withRoutes(Routes other) {
    return new ServerContext(
        options, other, metrics, budget, requests, compressors, connections, handlers);
  }
}
