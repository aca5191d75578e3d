package io.cordwood.store.repair;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of scrubbing and repair. */
final class RepairMetrics {
  private final MeterRegistry registry;
  private final Counter scrubbedBytes;
  private final Counter scrubbedSegments;
  private final Counter scrubDamage;
  private final Counter refetchedRecords;
  private final Counter refetchedBytes;
  private final Counter rounds;
  private final Counter comparedSlices;
  private final Counter copiedBatches;
  private final Counter copiedBytes;
  private final AtomicLong missingBytes = new AtomicLong();

  RepairMetrics(MeterRegistry registry) {
    this.registry = registry;
    scrubbedBytes = counter("scrubbed.bytes");
    scrubbedSegments = counter("scrubbed.segments");
    scrubDamage = counter("scrub.damaged.segments");
    refetchedRecords = counter("refetched.records");
    refetchedBytes = counter("refetched.bytes");
    rounds = counter("repair.rounds");
    comparedSlices = counter("repair.compared.slices");
    copiedBatches = counter("repair.copied.batches");
    copiedBytes = counter("repair.copied.bytes");
    Gauge.builder("cordwood.store.underreplicated.bytes", missingBytes::get)
        .strongReference(true)
        .register(registry);
  }

  private Counter counter(String name) {
    return registry.counter("cordwood.store." + name);
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

  void refetched(long records, long bytes) {
    refetchedRecords.increment(records);
    refetchedBytes.increment(bytes);
  }

  void round() {
    rounds.increment();
  }

  /** The result of a hint. */
  enum Hint {
    TAKEN,
    /** Its records may still be on their way to where they belong. */
    YOUNG,
    FULL
  }

  void hinted(Hint hint) {
    Counter.builder("cordwood.store.repair.hints")
        .description("Times that a query saw too few copies of something and told this store")
        .tag("outcome", hint.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  void comparedSlice() {
    comparedSlices.increment();
  }

  void copied(long batches) {
    copiedBatches.increment(batches);
  }

  void copySent(long bytes) {
    copiedBytes.increment(bytes);
  }

  void missing(long bytes) {
    missingBytes.set(bytes);
  }

  /** Something of a repair went wrong and will be tried again. */
  void repairFailed(String what) {
    Counter.builder("cordwood.store.repair.failures")
        .description("Steps of a repair that failed and will be tried again")
        .tag("what", what)
        .register(registry)
        .increment();
  }
}
