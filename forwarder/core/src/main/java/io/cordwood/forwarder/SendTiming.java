package io.cordwood.forwarder;

/**
 * When the records of a {@link RecordQueue} are worth sending: a batch once nothing else is on the
 * wire, or its time is over; an upload once there is enough for one. Guarded by the queue's lock.
 */
final class SendTiming {
  private final Batches batches;
  private final Buffers buffers;
  private final long lingerNanos;
  private final int uploadBytes;

  SendTiming(Batches batches, Buffers buffers, ForwarderOptions options) {
    this.batches = batches;
    this.buffers = buffers;
    this.lingerNanos = options.times().linger().toNanos();
    this.uploadBytes = options.memory().uploadBytes();
  }

  /**
   * For how long there is no upload; 0 if there are none.
   *
   * @param flushed whether somebody waits for all to be sent
   */
  long uploadLeftNanos(boolean flushed) {
    if (uploadBytes == 0) {
      return 0;
    }
    OutgoingBatch oldest = batches.oldestUnsent();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    boolean enough = flushed || buffers.usedBytes() >= uploadBytes;
    return enough ? 0 : lingerLeftNanos(oldest);
  }

  /** Whether the open batch is the next one and worth sending as it is. */
  boolean isOpenRipe(boolean flushed) {
    OutgoingBatch open = batches.open();
    return open != null
        && open == batches.oldestUnsent()
        && (!batches.anySent() || flushed || lingerLeftNanos(open) == 0);
  }

  /** For how long a batch may wait for more records. */
  long lingerLeftNanos(OutgoingBatch batch) {
    return Math.max(0, batch.openedNanos() + lingerNanos - System.nanoTime());
  }
}
