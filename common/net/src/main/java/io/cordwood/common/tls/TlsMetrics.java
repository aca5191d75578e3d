package io.cordwood.common.tls;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counters of a port's handshakes by outcome. */
final class TlsMetrics {
  final Counter done;
  final Counter failed;
  final Counter late;
  final Counter plain;

  TlsMetrics(MeterRegistry registry, String port) {
    done = counter(registry, port, "ok");
    failed = counter(registry, port, "failed");
    late = counter(registry, port, "timeout");
    plain = counter(registry, port, "plain");
  }

  private static Counter counter(MeterRegistry registry, String port, String result) {
    return registry.counter("cordwood.tls.handshakes", "port", port, "result", result);
  }
}
