package io.cordwood.forwarder;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Copies records into the open batch, and begins another when that is full, or does not suit them.
 * Guarded by the window's lock.
 */
final class Filler {
  /** Records of a batch share its time, so it is not kept open for longer, even offline. */
  private static final long MAX_OPEN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Batches batches;
  private final Buffers buffers;
  private final int emptyBytes;
  private final int batchBytes;
  private final InstantSource clock;

  /**
   * @param emptyBytes of a batch without records
   * @param batchBytes of records with which a batch is full
   */
  Filler(Batches batches, Buffers buffers, int emptyBytes, int batchBytes, InstantSource clock) {
    this.batches = batches;
    this.buffers = buffers;
    this.emptyBytes = emptyBytes;
    this.batchBytes = batchBytes;
    this.clock = clock;
  }

  /** False when there is no memory for the piece; the open batch may be sealed then. */
  boolean add(Piece piece) {
    long now = System.nanoTime();
    Batch open = batches.open();
    if (open != null && isOver(open, piece, now)) {
      batches.seal();
      open = null;
    }
    boolean hasRoom = open == null ? begun(piece, now) : grown(open, piece.payloadBytes());
    if (hasRoom) {
      batches.add(piece);
    }
    return hasRoom;
  }

  private boolean isOver(Batch open, Piece piece, long now) {
    return !open.takes(piece)
        || open.payloadBytes() + piece.payloadBytes() > batchBytes
        || now - open.openedNanos() > MAX_OPEN_NANOS;
  }

  Batch.Moment now() {
    return new Batch.Moment(clock.millis(), System.nanoTime());
  }

  private boolean begun(Piece piece, long now) {
    int capacity = buffers.capacityFor(emptyBytes + piece.payloadBytes());
    if (!buffers.hasRoom(capacity)) {
      return false;
    }
    Delimiter delimiter = piece.delimiter() == null ? Delimiter.LF : piece.delimiter();
    batches.begin(buffers.take(capacity), delimiter, new Batch.Moment(clock.millis(), now));
    return true;
  }

  private boolean grown(Batch open, int moreBytes) {
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
