package io.cordwood.store;

import io.cordwood.common.file.OpenFiles;
import io.cordwood.common.segment.KeptIndexes;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.wire.CorruptException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The metrics of a store. Each record that was pulled and committed counts as stored or duplicate,
 * and each byte as header, stored, duplicate or damaged.
 */
public final class StoreMetrics {
  private final MeterRegistry registry;
  private final Counter consumedSegments;
  private final Counter consumedBytes;
  private final Counter consumedRecords;
  private final Counter storedRecords;
  private final Counter damagedBytes;
  private final Counter poisonBatches;
  private final Counter damagedSegments;
  private final Counter damagedBlocks;
  private final Counter unlistedSegments;
  private final Counter unsummedSegments;
  private final Counter sentReplicas;
  private final Counter sentBytes;
  private final Timer replicateTime;
  private final Counter receivedReplicas;
  private final Counter receivedBytes;
  private final Counter compactionIn;
  private final Counter compactionOut;
  private final Counter deletionRewrites;
  private final Timer gatherTime;
  private final Timer writeTime;
  private final Timer lag;
  private final Timer compactionTime;
  private final Counter settleIn;
  private final Counter settleOut;
  private final Timer settleTime;
  private final LongAdder settleCpuNanos = new LongAdder();
  private final LongAdder compactionCpuNanos = new LongAdder();
  private final AtomicLong unreadable = new AtomicLong();

  public StoreMetrics(MeterRegistry registry) {
    this.registry = registry;
    consumedSegments = counter("consumed.segments");
    consumedBytes = counter("consumed.bytes");
    consumedRecords = counter("consumed.records");
    storedRecords = counter("stored.records");
    damagedBytes = counter("damaged.bytes");
    poisonBatches = counter("poison.batches");
    damagedSegments = counter("damaged.segments");
    damagedBlocks = counter("damaged.blocks");
    unlistedSegments = counter("unlisted.segments");
    unsummedSegments = counter("unsummed.segments");
    sentReplicas = counter("replicas.sent");
    sentBytes = counter("replicas.sent.bytes");
    replicateTime = timer("replicate");
    receivedReplicas = counter("replicas.received");
    receivedBytes = counter("replicas.received.bytes");
    compactionIn = counter("compaction.in.bytes");
    compactionOut = counter("compaction.out.bytes");
    deletionRewrites = counter("deletion.segments");
    gatherTime = timer("gather");
    writeTime = timer("write");
    lag = timer("lag");
    compactionTime = timer("compaction");
    settleIn = counter("settle.in.bytes");
    settleOut = counter("settle.out.bytes");
    settleTime = timer("settle");
    cpu("settle", settleCpuNanos);
    cpu("compaction", compactionCpuNanos);
    gauge("unreadable.segments", unreadable::get);
  }

  private Counter counter(String name) {
    return registry.counter("cordwood.store." + name);
  }

  private void cpu(String name, LongAdder nanos) {
    FunctionCounter.builder(
            "cordwood.store." + name + ".cpu.seconds", nanos, sum -> sum.sum() / 1e9)
        .register(registry);
  }

  private Timer timer(String name) {
    return registry.timer("cordwood.store." + name);
  }

  private void gauge(String name, Supplier<Number> value, String... tags) {
    Gauge.builder("cordwood.store." + name, value)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  /** Shows how many files of segments are open, and the memory of their indexes. */
  public void watchOpen(OpenFiles files, KeptIndexes indexes) {
    gauge("open.files", files::count);
    FunctionCounter.builder("cordwood.store.reopened.files", files, OpenFiles::reopened)
        .register(registry);
    gauge("index.bytes", indexes::bytes);
  }

  /** Shows how many segments the log has, and how many bytes. */
  public void watchFlushed(Supplier<Number> segments, Supplier<Number> bytes) {
    gauge("segments", segments, "state", "flushed");
    gauge("segment.bytes", bytes, "state", "flushed");
  }

  /** Shows how many segments were set aside and may have taken something that is not back. */
  public void watchDamaged(Supplier<Number> unrestored) {
    gauge("unrestored.segments", unrestored);
  }

  /** Shows what keeps the store from gathering. */
  public void watchGate(Supplier<Number> missingStores, BooleanSupplier diskFull) {
    gauge("missing.stores", missingStores);
    gauge("disk.full", () -> diskFull.getAsBoolean() ? 1 : 0);
  }

  /** Shows how many segments hold topics whose time is over beside others. */
  public void watchExpiry(Supplier<Number> waiting) {
    gauge("retention.waiting.segments", waiting);
  }

  /** Shows what waits to be purged. */
  public void watchTrash(Supplier<Number> segments, Supplier<Number> bytes) {
    gauge("segments", segments, "state", "trashed");
    gauge("segment.bytes", bytes, "state", "trashed");
  }

  public void watchReplicas(Supplier<Number> receiving) {
    gauge("replicas.receiving", receiving);
  }

  /** A gather was stored and its ingest segments may go. */
  public void consumed(PullTotals totals) {
    consumedBytes.increment(totals.bytes());
    consumedRecords.increment(totals.records());
    storedRecords.increment(totals.records() - totals.duplicateRecords());
    damagedBytes.increment(totals.damagedBytes());
    poisonBatches.increment(totals.poisonBatches());
    duplicates("consume", totals.duplicateRecords());
    consumedSegments.increment(totals.segments()); // Last: who sees them finds the rest counted.
  }

  /**
   * Counts records that came again.
   *
   * @param where it was found: {@code consume} or {@code compact}
   */
  public void duplicates(String where, long records) {
    registry.counter("cordwood.store.duplicate.records", "where", where).increment(records);
  }

  /** From the first claim of a gather until enough was pulled. */
  public void gathered(Duration took) {
    gatherTime.record(took);
  }

  /**
   * A store segment has its copies, and queries see it.
   *
   * @param took from the end of gathering until it was forced here
   * @param sinceFirstClaim from the first claim of what it holds until queries saw it
   */
  public void written(Duration took, Duration sinceFirstClaim) {
    writeTime.record(took);
    lag.record(sinceFirstClaim);
  }

  /** A call of an ingest node, or a stage, went wrong in a way that is tried again. */
  public void failed(String what) {
    failed(what, 1);
  }

  public void failed(String what, int times) {
    Counter.builder("cordwood.store.failures")
        .description("Calls and stages that failed and will be tried again")
        .tag("what", what)
        .register(registry)
        .increment(times);
  }

  /** Counts what a segment that was written here lacks, since it would be too large. */
  public void wrote(StoreSegment segment) {
    try {
      if (segment.listBytes() == 0) {
        unlistedSegments.increment();
      } else if (segment.slices().isEmpty()) {
        unsummedSegments.increment();
      }
    } catch (CorruptException e) {
      // A damaged list is found where it is used, and its segment is written anew.
    }
  }

  /** A replica that a peer sent is durable here. */
  public void replicaStored(long bytes) {
    receivedReplicas.increment();
    receivedBytes.increment(bytes);
  }

  /** A replica is durable on a peer. */
  public void replicaSent(long bytes) {
    sentReplicas.increment();
    sentBytes.increment(bytes);
  }

  /** From the segment that is forced here until as many peers as are needed have it, too. */
  public void replicated(Duration took) {
    replicateTime.record(took);
  }

  public void replicaRefused(String reason) {
    Counter.builder("cordwood.store.replicas.refused")
        .description("Replicas that a peer sent and that are not kept")
        .tag("reason", reason)
        .register(registry)
        .increment();
  }

  /** A segment was found to be damaged, however little. */
  public void damagedSegment() {
    damagedSegments.increment();
  }

  /** Blocks of a segment that had been whole once are lost. */
  public void damagedBlocks(long blocks) {
    damagedBlocks.increment(blocks);
  }

  /** A segment of this store cannot be read; answers say that it is missing. */
  public void unreadable() {
    unreadable.incrementAndGet();
  }

  /** Bytes of files: of those that were merged, and of what came of them. */
  public void compacted(long bytesIn, long bytesOut, Duration took) {
    compactionIn.increment(bytesIn);
    compactionOut.increment(bytesOut);
    compactionTime.record(took);
  }

  /** Shows how many segments are old enough and not settled yet. */
  public void watchSettling(Supplier<Number> waiting) {
    gauge("settle.waiting.segments", waiting);
  }

  public void settleCpu(long nanos) {
    settleCpuNanos.add(nanos);
  }

  public void compactionCpu(long nanos) {
    compactionCpuNanos.add(nanos);
  }

  public void settled(long bytesIn, long bytesOut, Duration took) {
    settleIn.increment(bytesIn);
    settleOut.increment(bytesOut);
    settleTime.record(took);
  }

  /** A segment is without what is deleted. */
  public void deleted() {
    deletionRewrites.increment();
  }

  public void retained(String state, long segments) {
    Counter.builder("cordwood.store.retention.segments")
        .description("Segments that retention trashed, rewrote without some topics, or purged")
        .tag("to", state)
        .register(registry)
        .increment(segments);
  }
}
