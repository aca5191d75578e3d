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
    requests = Counter.builder("cordwood.http.requests").withRegistry(registry);
    refusedConnections = refused(registry, "connections");
    refusedRequests = refused(registry, "requests");
    refusedHosts = refused(registry, "hosts");
    refusedTls = refused(registry, "tls");
    refusedFloods = refused(registry, "floods");
    resetsToNodes = resets(registry, "node");
    resetsToOthers = resets(registry, "other");
    stalledClients = registry.counter("cordwood.http.stalled");
    timedOutConnections = registry.counter("cordwood.http.idle.closed");
    agedConnections = registry.counter("cordwood.http.aged");
    notCompressed = registry.counter("cordwood.http.not.compressed");
    bytesOut = registry.counter("cordwood.http.sent.bytes");
    Gauge.builder("cordwood.http.connections", connections, AtomicInteger::get).register(registry);
    Gauge.builder("cordwood.http.requests.in.flight", free, f -> maxInFlight - f.availablePermits())
        .register(registry);
  }

  private static Counter refused(MeterRegistry registry, String what) {
    return registry.counter("cordwood.http.refused", "limit", what);
  }

  private static Counter resets(MeterRegistry registry, String client) {
    return registry.counter("cordwood.http.resets", "client", client);
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
