package io.cordwood.forwarder;

import java.util.ArrayDeque;

/**
 * The arrays that batches live in, counted against the window. Arrays of a full batch's size are
 * kept for reuse; in use and kept together never exceed the window. Guarded by the queue's lock.
 */
final class Buffers {
  /** One part in four of the memory is for what comes from the spool. */
  private static final int SPOOL_SHARE = 4;

  private static final int SMALLEST_BYTES = 1 << 12;

  private final int windowBytes;
  private final int fullBytes;
  private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
  private long usedBytes;

  /**
   * @param windowBytes of all together
   * @param fullBytes capacity for a full batch with its header
   */
  Buffers(int windowBytes, int fullBytes) {
    this.windowBytes = windowBytes;
    this.fullBytes = fullBytes;
  }

  /** For what a forwarder appends; what comes from its spool has memory of its own. */
  static Buffers of(ForwarderOptions options) {
    int ownBytes = options.memory().windowBytes() - spoolBytes(options);
    return new Buffers(
        ownBytes,
        PreparedBatch.payloadAt(options.records().origin()) + options.memory().batchBytes());
  }

  /** Bytes of a forwarder's memory for what comes from its spool; none without one. */
  static int spoolBytes(ForwarderOptions options) {
    return options.memory().spool() == null ? 0 : options.memory().windowBytes() / SPOOL_SHARE;
  }

  /** A capacity of at least that many bytes: a power of two, the full batch's, or as asked. */
  int capacityFor(int bytes) {
    if (bytes > fullBytes) {
      return bytes;
    }
    int power = Integer.highestOneBit(Math.max(bytes, SMALLEST_BYTES) - 1) << 1;
    return Math.min(power, fullBytes);
  }

  boolean hasRoom(int moreBytes) {
    return usedBytes + moreBytes <= windowBytes;
  }

  /** There must be room. */
  byte[] take(int capacity) {
    usedBytes += capacity;
    if (capacity == fullBytes && !kept.isEmpty()) {
      return kept.pop();
    }
    shrink();
    return new byte[capacity];
  }

  /** Counts an array that grows. */
  void grow(int moreBytes) {
    usedBytes += moreBytes;
    shrink();
  }

  private void shrink() {
    while (!kept.isEmpty() && usedBytes + (long) kept.size() * fullBytes > windowBytes) {
      kept.pop();
    }
  }

  /** Takes back the array of a batch that nobody reads any more, unless it is its maker's. */
  void release(OutgoingBatch batch) {
    byte[] bytes = batch.bytes();
    forget(bytes);
    if (batch.made() == null && bytes.length == fullBytes) {
      kept.push(bytes);
      shrink();
    }
  }

  /** Gives up an array that someone may still be reading. */
  void forget(byte[] bytes) {
    usedBytes -= bytes.length;
  }

  long windowBytes() {
    return windowBytes;
  }

  long usedBytes() {
    return usedBytes;
  }
}
