package io.cordwood.common.http.client;

import io.cordwood.common.run.ByteBudget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** Counters of the calls of a node to others, and the memory that these share. */
final class PeerMetrics {
  private static final int MAX_WINDOW_BYTES = 32 << 20;
  private static final int PART_OF_HEAP = 16;

  /** Connections open now. */
  final AtomicInteger connections = new AtomicInteger();

  /** Calls that run now. */
  final AtomicInteger calls = new AtomicInteger();

  final Counter resets;
  final Counter silent;
  final Counter dryWindows;
  final Counter narrowed;

  /** By which the windows of all calls may be larger than at first. */
  final ByteBudget windows =
      new ByteBudget(Math.min(MAX_WINDOW_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));

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
    narrowed =
        Counter.builder("cordwood.peer.narrowed")
            .description("Times that an answer's window stayed small, since others have the memory")
            .register(registry);
  }
}
