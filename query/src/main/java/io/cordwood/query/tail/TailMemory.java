package io.cordwood.query.tail;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of what all streams of a node hold for their readers, and what was dropped for want of it.
 * A stream may have as much as is left for the others: so a few that are stuck hold much, many hold
 * little each, and those that are read have room in any case. For all threads.
 */
final class TailMemory {
  /** The bytes of one stream; a single batch may have more. */
  static final int MAX_BYTES = 1 << 20;

  /** The bytes of all streams together, beyond one batch each. */
  static final long MAX_ALL_BYTES = 32L << 20;

  private final AtomicLong heldBytes = new AtomicLong();
  private final Counter dropped;

  TailMemory(MeterRegistry meters) {
    this.dropped = meters.counter("cordwood.stream.dropped.records");
    meters.gauge("cordwood.stream.held.bytes", heldBytes);
  }

  /**
   * Takes memory for a batch, if it may.
   *
   * @param ownBytes that the batch's stream holds already
   */
  boolean take(long ownBytes, long bytes) {
    long most = Math.min(MAX_BYTES, MAX_ALL_BYTES - heldBytes.get());
    boolean fits = ownBytes == 0 || ownBytes + bytes <= most;
    if (fits) {
      heldBytes.addAndGet(bytes);
    }
    return fits;
  }

  void release(long bytes) {
    heldBytes.addAndGet(-bytes);
  }

  /** Counts what did not fit. */
  void dropped(int records) {
    dropped.increment(records);
  }
}
