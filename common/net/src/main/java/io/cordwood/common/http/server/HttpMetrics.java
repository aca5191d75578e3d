package io.cordwood.common.http.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** The counters of an HTTP server. */
final class HttpMetrics {
  private final MeterProvider<Counter> requests;
  private final Counter refusedConnections;
  private final Counter refusedRequests;
  private final Counter refusedHosts;
  private final Counter refusedTls;
  private final Counter refusedFloods;
  private final Counter resetsToNodes;
  private final Counter resetsToOthers;
  private final Counter stalledClients;
  private final Counter timedOutConnections;
  private final Counter agedConnections;
  private final Counter notCompressed;
  private final Counter bytesOut;

  HttpMetrics(MeterRegistry registry, AtomicInteger connections, Semaphore free, int maxInFlight) {
    requests =
        Counter.builder("cordwood.http.requests")
            .description("Requests answered; status is gone or reset if the answer was not ended")
            .withRegistry(registry);
    refusedConnections = refused(registry, "connections");
    refusedRequests = refused(registry, "requests");
    refusedHosts = refused(registry, "hosts");
    refusedTls = refused(registry, "tls");
    refusedFloods = refused(registry, "floods");
    resetsToNodes = resets(registry, "node");
    resetsToOthers = resets(registry, "other");
    stalledClients =
        Counter.builder("cordwood.http.stalled")
            .description("Clients given up because they read nothing of their answer")
            .register(registry);
    timedOutConnections =
        Counter.builder("cordwood.http.idle.closed")
            .description("Connections closed because they were idle, or slow with their headers")
            .register(registry);
    agedConnections =
        Counter.builder("cordwood.http.aged")
            .description("Connections that are to end because of their age")
            .register(registry);
    notCompressed =
        Counter.builder("cordwood.http.not.compressed")
            .description("Answers sent as they are because too many others were being compressed")
            .register(registry);
    bytesOut =
        Counter.builder("cordwood.http.sent.bytes")
            .description("Bytes of bodies sent")
            .register(registry);
    Gauge.builder("cordwood.http.connections", connections, AtomicInteger::get)
        .description("Connections open now")
        .register(registry);
    Gauge.builder("cordwood.http.requests.in.flight", free, f -> maxInFlight - f.availablePermits())
        .description("Requests being answered now")
        .register(registry);
  }

  private static Counter refused(MeterRegistry registry, String what) {
    return Counter.builder("cordwood.http.refused")
        .description("Connections and requests refused because of a limit, or of who asks")
        .tag("limit", what)
        .register(registry);
  }

  private static Counter resets(MeterRegistry registry, String client) {
    return Counter.builder("cordwood.http.resets")
        .description(
            "Calls in HTTP/2 that this node broke off, or of which it left the rest unread")
        .tag("client", client)
        .register(registry);
  }

  /**
   * @param version of HTTP
   */
  void answered(String method, String route, String status, String version) {
    requests
        .withTags("method", method, "route", route, "status", status, "version", version)
        .increment();
  }

  void connectionRefused() {
    refusedConnections.increment();
  }

  void requestRefused() {
    refusedRequests.increment();
  }

  void hostRefused() {
    refusedHosts.increment();
  }

  void tlsRefused() {
    refusedTls.increment();
  }

  /** A connection is ended, as its client does too much of something. */
  void floodRefused() {
    refusedFloods.increment();
  }

  /** A stream is reset. */
  void reset(boolean ofNode) {
    (ofNode ? resetsToNodes : resetsToOthers).increment();
  }

  void stalled() {
    stalledClients.increment();
  }

  void timedOut() {
    timedOutConnections.increment();
  }

  void aged() {
    agedConnections.increment();
  }

  void notCompressed() {
    notCompressed.increment();
  }

  void bytesOut(int bytes) {
    bytesOut.increment(bytes);
  }
}
