package io.cordwood.store.cold;

import io.cordwood.common.bucket.BucketRequests;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The metrics of a bucket that a store uploads to. */
final class ColdMetrics {
  private static final String PREFIX = "cordwood.cold.";

  private final MeterRegistry registry;
  private final Counter objects;
  private final Counter bytes;
  private final Counter records;
  private final Counter damaged;
  private final AtomicLong pendingDays = new AtomicLong();
  private final AtomicLong paused = new AtomicLong();

  ColdMetrics(MeterRegistry registry, BucketRequests requests) {
    this.registry = registry;
    objects = counter("uploaded.objects");
    bytes = counter("uploaded.bytes");
    records = counter("uploaded.records");
    damaged = counter("damaged.objects");
    for (Verb verb : Verb.values()) {
      FunctionCounter.builder(PREFIX + "requests", requests, it -> it.count(verb))
          .tag("verb", verb.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    FunctionCounter.builder(PREFIX + "request.failures", requests, BucketRequests::failures)
        .register(registry);
    FunctionCounter.builder(PREFIX + "sent.bytes", requests, BucketRequests::sentBytes)
        .register(registry);
    FunctionCounter.builder(PREFIX + "received.bytes", requests, BucketRequests::receivedBytes)
        .register(registry);
    gauge("pending.days", pendingDays);
    gauge("paused", paused);
  }

  private Counter counter(String name) {
    return registry.counter(PREFIX + name);
  }

  private void gauge(String name, AtomicLong value) {
    Gauge.builder(PREFIX + name, value, AtomicLong::get).strongReference(true).register(registry);
  }

  void uploaded(long objectBytes, long objectRecords) {
    bytes.increment(objectBytes);
    records.increment(objectRecords);
    objects.increment(); // Last: who sees it finds the rest counted.
  }

  void damaged() {
    damaged.increment();
  }

  void pendingDays(long days) {
    pendingDays.set(days);
  }

  void paused(boolean is) {
    paused.set(is ? 1 : 0);
  }
}
