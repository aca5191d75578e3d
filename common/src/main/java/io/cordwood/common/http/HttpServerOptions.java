package io.cordwood.common.http;

import java.time.Duration;

/**
 * Where an HTTP server listens, and its bounds.
 *
 * @param bind address to listen on, a name or a literal
 * @param port 0 for any free one
 * @param loopThreads event loops that move the bytes; handlers run elsewhere
 * @param maxConnections open at once; more are closed at once and counted
 * @param maxRequestsInFlight handled at once; more are answered 503 and counted
 * @param maxConcurrentStreams on one HTTP/2 connection
 * @param maxHeldBytes of answers that clients have not taken yet, all together; beyond, each has
 *     some KiB of its own
 * @param maxInitialLineBytes of a request line
 * @param maxHeaderBytes of all headers of a request
 * @param idleTimeout after which a connection without a request is closed, and the longest wait for
 *     the next bytes of a request's body
 * @param headerTimeout from the first byte of an HTTP/1.1 request to the end of its headers
 * @param stallTimeout after which a client that reads nothing of its answer counts as gone
 * @param closeGrace how long answers may still run when the server is closed
 * @param maxConnectionAge after which, give or take a tenth, a connection ends behind the answers
 *     that run
 */
public record HttpServerOptions(
    String bind,
    int port,
    int loopThreads,
    int maxConnections,
    int maxRequestsInFlight,
    int maxConcurrentStreams,
    long maxHeldBytes,
    int maxInitialLineBytes,
    int maxHeaderBytes,
    Duration idleTimeout,
    Duration headerTimeout,
    Duration stallTimeout,
    Duration closeGrace,
    Duration maxConnectionAge) {

  /** The defaults, at an address. */
  public static HttpServerOptions at(String bind, int port) {
    return new HttpServerOptions(
        bind,
        port,
        2,
        4096,
        4096,
        100,
        32 << 20,
        16 << 10,
        32 << 10,
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        Duration.ofMinutes(10),
        Duration.ofSeconds(5),
        Duration.ofHours(1));
  }

  /** The same with other bounds on connections and requests. */
  public HttpServerOptions withLimits(int connections, int requestsInFlight) {
    return new HttpServerOptions(
        bind,
        port,
        loopThreads,
        connections,
        requestsInFlight,
        maxConcurrentStreams,
        maxHeldBytes,
        maxInitialLineBytes,
        maxHeaderBytes,
        idleTimeout,
        headerTimeout,
        stallTimeout,
        closeGrace,
        maxConnectionAge);
  }

  /** The same with other time-outs. */
  public HttpServerOptions withTimeouts(
      Duration idle, Duration header, Duration stall, Duration grace) {
    return new HttpServerOptions(
        bind,
        port,
        loopThreads,
        maxConnections,
        maxRequestsInFlight,
        maxConcurrentStreams,
        maxHeldBytes,
        maxInitialLineBytes,
        maxHeaderBytes,
        idle,
        header,
        stall,
        grace,
        maxConnectionAge);
  }

  /** The same with another bound on the age of connections. */
  public HttpServerOptions withMaxConnectionAge(Duration age) {
    return new HttpServerOptions(
        bind,
        port,
        loopThreads,
        maxConnections,
        maxRequestsInFlight,
        maxConcurrentStreams,
        maxHeldBytes,
        maxInitialLineBytes,
        maxHeaderBytes,
        idleTimeout,
        headerTimeout,
        stallTimeout,
        closeGrace,
        age);
  }

  /** The same with another bound on the memory of answers. */
  public HttpServerOptions withMaxHeldBytes(long bytes) {
    return new HttpServerOptions(
        bind,
        port,
        loopThreads,
        maxConnections,
        maxRequestsInFlight,
        maxConcurrentStreams,
        bytes,
        maxInitialLineBytes,
        maxHeaderBytes,
        idleTimeout,
        headerTimeout,
        stallTimeout,
        closeGrace,
        maxConnectionAge);
  }
}
