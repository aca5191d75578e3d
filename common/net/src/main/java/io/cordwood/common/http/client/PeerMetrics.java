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
    Gauge.builder("cordwood.peer.connections", connections, AtomicInteger::get).register(registry);
    Gauge.builder("cordwood.peer.calls", calls, AtomicInteger::get).register(registry);
    resets = registry.counter("cordwood.peer.resets");
    silent = registry.counter("cordwood.peer.silent");
    dryWindows = registry.counter("cordwood.peer.dry.windows");
    narrowed = registry.counter("cordwood.peer.narrowed");
  }
}
