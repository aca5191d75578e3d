package io.cordwood.store.cold;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketRequests;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** The metrics of a bucket that a store uploads to. */
final class ColdMetrics {
  private static final String PREFIX = "cordwood.cold.";

  /** Failures that somebody has to mend. */
  private static final Set<Kind> REASONS =
      EnumSet.of(Kind.DENIED, Kind.EXPIRED, Kind.KEY, Kind.FULL);

  private final MeterRegistry registry;
  private final Counter objects;
  private final Counter bytes;
  private final Counter records;
  private final Counter damaged;
  private final AtomicLong pendingDays = new AtomicLong();
  private volatile Optional<Kind> paused = Optional.empty();

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
    Gauge.builder(PREFIX + "pending.days", pendingDays, AtomicLong::get)
        .strongReference(true)
        .register(registry);
    for (Kind reason : REASONS) {
      Gauge.builder(PREFIX + "paused", () -> paused.equals(Optional.of(reason)) ? 1 : 0)
          .tag("reason", reason.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
  }

  private Counter counter(String name) {
    return registry.counter(PREFIX + name);
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

  /** Tells why nothing is uploaded, if somebody has to mend it. */
  void paused(Optional<Kind> why) {
    paused = why.filter(REASONS::contains);
  }

  /** Whether somebody has to mend it. */
  boolean isPaused() {
    return paused.isPresent();
  }
}
