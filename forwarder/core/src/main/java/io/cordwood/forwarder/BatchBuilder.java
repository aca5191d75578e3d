package io.cordwood.forwarder;

import io.cordwood.common.wire.Delimiter;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Copies records into the open batch, and begins another when that is full, or does not suit them.
 * Guarded by the queue's lock.
 */
final class BatchBuilder {
  /** Records of a batch share its time, so it is not kept open for longer, even offline. */
  private static final long MAX_OPEN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Batches batches;
  private final Buffers buffers;
  private final int emptyBytes;
  private final int batchBytes;
  private final InstantSource clock;

  BatchBuilder(Batches batches, Buffers buffers, ForwarderOptions options, InstantSource clock) {
    this.batches = batches;
    this.buffers = buffers;
    this.emptyBytes = PreparedBatch.payloadAt(options.records().origin());
    this.batchBytes = options.memory().batchBytes();
    this.clock = clock;
  }

  /** False when there is no memory for the piece; the open batch may be sealed then. */
  boolean add(RecordSlice slice) {
    long now = System.nanoTime();
    OutgoingBatch open = batches.open();
    if (open != null && isOver(open, slice, now)) {
      batches.seal();
      open = null;
    }
    boolean hasRoom = open == null ? begun(slice, now) : grown(open, slice.payloadBytes());
    if (hasRoom) {
      batches.add(slice);
    }
    return hasRoom;
  }

  private boolean isOver(OutgoingBatch open, RecordSlice slice, long now) {
    return !open.takes(slice)
        || open.payloadBytes() + slice.payloadBytes() > batchBytes
        || now - open.openedNanos() > MAX_OPEN_NANOS;
  }

  OutgoingBatch.Moment now() {
    return new OutgoingBatch.Moment(clock.millis(), System.nanoTime());
  }

  private boolean begun(RecordSlice slice, long now) {
    int capacity = buffers.capacityFor(emptyBytes + slice.payloadBytes());
    if (!buffers.hasRoom(capacity)) {
      return false;
    }
    Delimiter delimiter = slice.delimiter() == null ? Delimiter.LF : slice.delimiter();
    batches.begin(buffers.take(capacity), delimiter, new OutgoingBatch.Moment(clock.millis(), now));
    return true;
  }

  private boolean grown(OutgoingBatch open, int moreBytes) {
    if (open.roomBytes() >= moreBytes) {
      return true;
    }
    int capacity = buffers.capacityFor(open.sizeBytes() + moreBytes);
    int growth = capacity - open.bytes().length;
    if (!buffers.hasRoom(growth)) {
      return false;
    }
    buffers.grow(growth);
    open.grow(capacity);
    return true;
  }
}
