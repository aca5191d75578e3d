package io.cordwood.common.http.client;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** Counters of the calls of a node to others. */
final class PeerMetrics {
  /** Connections open now. */
  final AtomicInteger connections = new AtomicInteger();

  /** Calls that run now. */
  final AtomicInteger calls = new AtomicInteger();

  final Counter resets;
  final Counter silent;
  final Counter dryWindows;
  final WindowBudget windows;

  PeerMetrics(MeterRegistry registry) {
    Gauge.builder("cordwood.peer.connections", connections, AtomicInteger::get)
        .description("Connections to other nodes, open now")
        .register(registry);
    Gauge.builder("cordwood.peer.calls", calls, AtomicInteger::get)
        .description("Calls to other nodes that run now")
        .register(registry);
    resets =
        Counter.builder("cordwood.peer.resets")
            .description("Calls to other nodes that this one broke off")
            .register(registry);
    silent =
        Counter.builder("cordwood.peer.silent")
            .description("Connections given up because the other node did not answer a ping")
            .register(registry);
    dryWindows =
        Counter.builder("cordwood.peer.dry.windows")
            .description("Waits until another node took more of a body")
            .register(registry);
    windows = new WindowBudget(registry);
  }
}
