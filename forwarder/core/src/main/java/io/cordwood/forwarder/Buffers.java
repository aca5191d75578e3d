package io.cordwood.forwarder;

import java.util.ArrayDeque;

/**
 * The arrays that batches live in, counted against the window. Arrays of a full batch's size are
 * kept for reuse; in use and kept together never exceed the window. Guarded by the window's lock.
 */
final class Buffers {
  private static final int SMALLEST_BYTES = 1 << 12;

  private final int windowBytes;
  private final int fullBytes;
  private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
  private long usedBytes;

  /**
   * @param fullBytes capacity for a full batch with its header
   */
  Buffers(int windowBytes, int fullBytes) {
    this.windowBytes = windowBytes;
    this.fullBytes = fullBytes;
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

  void release(byte[] bytes) {
    forget(bytes);
    if (bytes.length == fullBytes) {
      kept.push(bytes);
      shrink();
    }
  }

  /** Gives up an array that someone may still be reading. */
  void forget(byte[] bytes) {
    usedBytes -= bytes.length;
  }

  long usedBytes() {
    return usedBytes;
  }
}
