package io.cordwood.store;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What scrubbing and repair count. */
final class RepairMetrics {
  private final MeterRegistry registry;
  private final Counter scrubbedBytes;
  private final Counter scrubbedSegments;
  private final Counter scrubDamage;

  RepairMetrics(MeterRegistry registry) {
    this.registry = registry;
    scrubbedBytes = counter("scrubbed.bytes", "Bytes of segments read again to check them");
    scrubbedSegments = counter("scrubbed.segments", "Segments read to their end to check them");
    scrubDamage = counter("scrub.damaged.segments", "Segments that scrubbing found damaged");
  }

  private Counter counter(String name, String description) {
    return Counter.builder("cordwood.store." + name).description(description).register(registry);
  }

  void scrubbed(long bytes) {
    scrubbedBytes.increment(bytes);
  }

  void scrubbedSegment() {
    scrubbedSegments.increment();
  }

  void scrubFoundDamage() {
    scrubDamage.increment();
  }
}
