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
    objects = counter("uploaded.objects", "Objects that were uploaded and read back");
    bytes = counter("uploaded.bytes", "Bytes of objects that were uploaded and read back");
    records = counter("uploaded.records", "Records in objects that were uploaded and read back");
    damaged = counter("damaged.objects", "Objects whose tail is damaged, each time it is read");
    for (Verb verb : Verb.values()) {
      FunctionCounter.builder(PREFIX + "requests", requests, it -> it.count(verb))
          .description("Requests to the bucket by uploads, each attempt by itself")
          .tag("verb", verb.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    FunctionCounter.builder(PREFIX + "request.failures", requests, BucketRequests::failures)
        .description("Requests by uploads that got something else than was asked for")
        .register(registry);
    FunctionCounter.builder(PREFIX + "sent.bytes", requests, BucketRequests::sentBytes)
        .description("Bytes of objects that were sent to the bucket")
        .register(registry);
    FunctionCounter.builder(PREFIX + "received.bytes", requests, BucketRequests::receivedBytes)
        .description("Bytes of bodies that came to uploads, lists and errors too")
        .register(registry);
    gauge("pending.days", "Days that are over, and not known to be in the bucket", pendingDays);
    gauge(
        "paused",
        "1 while the bucket refuses this store's credentials, or has objects by another key",
        paused);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(PREFIX + name).description(description).register(registry);
  }

  private void gauge(String name, String description, AtomicLong value) {
    Gauge.builder(PREFIX + name, value, AtomicLong::get)
        .description(description)
        .strongReference(true)
        .register(registry);
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
