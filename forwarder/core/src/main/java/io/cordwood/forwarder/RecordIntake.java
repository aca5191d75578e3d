package io.cordwood.forwarder;

import io.cordwood.common.wire.Origin;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes records that are appended to a {@link RecordQueue}: they are copied into batches, or
 * dropped, or go back to their makers. Each is counted. Guarded by the queue's lock.
 */
final class RecordIntake {
  private final Batches batches;
  private final Buffers buffers;
  private final Counters counters;
  private final DropReports reports;
  private final BatchBuilder builder;

  /** Those whose batches go back to their makers. */
  private final Set<RefusedOrigin> refused = new HashSet<>();

  private boolean closed;

  RecordIntake(
      ForwarderOptions options,
      Batches batches,
      Buffers buffers,
      Counters counters,
      DropReports reports,
      InstantSource clock) {
    this.batches = batches;
    this.buffers = buffers;
    this.counters = counters;
    this.reports = reports;
    this.builder = new BatchBuilder(batches, buffers, options, clock);
  }

  /** Whether nothing is to be appended any more. */
  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  /** Copies a piece; false when there is no room. */
  boolean add(RecordSlice slice) {
    boolean added = builder.add(slice);
    counters.appended += added ? slice.records() : 0;
    return added;
  }

  /** Copies what is to be said of drops; false when there is no room. */
  boolean addReport(RecordSlice report) {
    boolean added = add(report);
    counters.reports += added ? 1 : 0;
    return added;
  }

  /** Drops records that come, or never came to be some. */
  void drop(DropReason reason, int records) {
    counters.appended += records;
    reports.dropped(reason, records);
  }

  /** False when nothing is queued: what is held then is on the wire, or being filled. */
  boolean dropOldest() {
    OutgoingBatch oldest = batches.drop();
    if (oldest == null) {
      return false;
    }
    reports.dropped(DropReason.OLDEST_WHEN_FULL, oldest.records());
    buffers.release(oldest);
    return true;
  }

  boolean hasRoom(PreparedBatch batch) {
    return buffers.hasRoom(batch.bytes().length);
  }

  /** Queues a batch as it is; there must be room. */
  void add(PreparedBatch batch) {
    if (batches.open() != null) {
      batches.seal();
    }
    buffers.grow(batch.bytes().length);
    batches.queue(batch, builder.now());
    counters.appended += batch.records();
  }

  /** Gives the way of a batch back to its maker, if its origin is refused; null otherwise. */
  @Nullable Runnable wayBack(PreparedBatch batch) {
    return RefusedOrigin.isIn(refused, batch.origin()) ? batch.refused() : null;
  }

  /** Takes the batches of an origin out that are not sent and that their makers take back. */
  List<PreparedBatch> giveBack(@Nullable RefusedOrigin origin) {
    if (origin == null) {
      return List.of();
    }
    List<PreparedBatch> back = batches.giveBack(origin);
    for (PreparedBatch batch : back) {
      refused.add(origin);
      refused.add(RefusedOrigin.of(batch.origin()));
      counters.appended -= batch.records();
      buffers.forget(batch.bytes());
    }
    return back;
  }

  /** Takes batches of an origin again. */
  void admit(Origin origin) {
    refused.removeIf(each -> each.contains(origin));
  }
}
