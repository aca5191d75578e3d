package io.cordwood.common.http.server;

import io.cordwood.common.tls.PortTls;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The address and the limits of an HTTP server.
 *
 * @param bind address to listen on, a name or a literal
 * @param port 0 for any free one
 * @param loopThreads event loops that move the bytes; handlers run elsewhere
 * @param hosts names under which it answers
 * @param tls empty for clear text
 */
public record HttpServerOptions(
    String bind,
    int port,
    int loopThreads,
    Counts counts,
    Sizes sizes,
    Timeouts timeouts,
    Hosts hosts,
    Optional<PortTls> tls) {
  private static final int LOOP_THREADS = 2;

  /**
   * How many there may be at once.
   *
   * @param maxConnections open at once; more are closed at once and counted
   * @param maxRequestsInFlight handled at once; more are answered 503 and counted
   * @param maxConcurrentStreams on one HTTP/2 connection
   */
  public record Counts(int maxConnections, int maxRequestsInFlight, int maxConcurrentStreams) {
    public static final Counts DEFAULT = new Counts(4096, 4096, 4096);
  }

  /**
   * How much is taken, and held.
   *
   * @param maxHeldBytes of answers that clients have not taken yet, all together; beyond, each has
   *     some KiB of its own
   * @param maxInitialLineBytes of a request line
   * @param maxHeaderBytes of all headers of a request
   */
  public record Sizes(long maxHeldBytes, int maxInitialLineBytes, int maxHeaderBytes) {
    public static final Sizes DEFAULT = new Sizes(32 << 20, 16 << 10, 32 << 10);
  }

  /**
   * How long things may take.
   *
   * @param idle after which a connection without a request is closed, and the longest wait for the
   *     next bytes of a request's body
   * @param header from the first byte of an HTTP/1.1 request to the end of its headers
   * @param stall after which a client that reads nothing of its answer counts as gone
   * @param closeGrace how long answers may still run when the server is closed
   * @param maxConnectionAge after which, give or take a tenth, a connection ends after the answers
   *     that run
   */
  public record Timeouts(
      Duration idle,
      Duration header,
      Duration stall,
      Duration closeGrace,
      Duration maxConnectionAge) {
    public static final Timeouts DEFAULT =
        new Timeouts(
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofMinutes(10),
            Duration.ofSeconds(5),
            Duration.ofHours(1));
  }

  /** The defaults, at an address. */
  public static HttpServerOptions at(String bind, int port) {
    return new HttpServerOptions(
        bind,
        port,
        LOOP_THREADS,
        Counts.DEFAULT,
        Sizes.DEFAULT,
        Timeouts.DEFAULT,
        new Hosts(Set.of()),
        Optional.empty());
  }

  /** A copy with other names. */
  public HttpServerOptions withHosts(Hosts other) {
    return new HttpServerOptions(bind, port, loopThreads, counts, sizes, timeouts, other, tls);
  }

  /** These options, with TLS. */
  public HttpServerOptions withTls(Optional<PortTls> other) {
    return new HttpServerOptions(bind, port, loopThreads, counts, sizes, timeouts, hosts, other);
  }

  /** A copy with other limits on connections and requests. */
  public HttpServerOptions withLimits(int connections, int requestsInFlight) {
    return with(new Counts(connections, requestsInFlight, counts.maxConcurrentStreams));
  }

  /** A copy with another limit on the requests at once of one HTTP/2 connection. */
  public HttpServerOptions withMaxConcurrentStreams(int streams) {
    return with(new Counts(counts.maxConnections, counts.maxRequestsInFlight, streams));
  }

  /** A copy with another limit on the memory of answers. */
  public HttpServerOptions withMaxHeldBytes(long bytes) {
    return with(new Sizes(bytes, sizes.maxInitialLineBytes, sizes.maxHeaderBytes));
  }

  /** A copy with other time-outs. */
  public HttpServerOptions withTimeouts(
      Duration idle, Duration header, Duration stall, Duration grace) {
    return with(new Timeouts(idle, header, stall, grace, timeouts.maxConnectionAge));
  }

  /** A copy with another limit on the age of connections. */
  public HttpServerOptions withMaxConnectionAge(Duration age) {
    return with(
        new Timeouts(timeouts.idle, timeouts.header, timeouts.stall, timeouts.closeGrace, age));
  }

  private HttpServerOptions with(Counts other) {
    return new HttpServerOptions(bind, port, loopThreads, other, sizes, timeouts, hosts, tls);
  }

  private HttpServerOptions with(Sizes other) {
    return new HttpServerOptions(bind, port, loopThreads, counts, other, timeouts, hosts, tls);
  }

  private HttpServerOptions with(Timeouts other) {
    return new HttpServerOptions(bind, port, loopThreads, counts, sizes, other, hosts, tls);
  }
}
