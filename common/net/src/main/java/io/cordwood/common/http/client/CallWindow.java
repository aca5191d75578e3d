package io.cordwood.common.http.client;

import java.util.concurrent.TimeUnit;

/**
 * The bytes that a peer may send of one answer before they are read. They grow while the reader
 * takes a whole window in no time, so that a large answer does not wait for a leave after each few
 * pieces, and a tail, or a reader who stops, holds as little as before. For the caller's thread.
 */
final class CallWindow {
  static final int MAX_BYTES = 1 << 20;

  private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final PeerMetrics metrics;
  private final int firstBytes;
  private int bytes;
  private int unreported;
  private int readOfWindow;
  private long beganNanos = System.nanoTime();

  /**
   * @param metrics which have the memory that it grows by
   */
  CallWindow(int firstBytes, PeerMetrics metrics) {
    this.firstBytes = firstBytes;
    this.bytes = firstBytes;
    this.metrics = metrics;
  }

  /**
   * The reader has taken bytes; whether the peer should know by now. With fewer it can still send:
   * the codec, too, keeps up to half of a window to itself.
   */
  boolean read(int count) {
    unreported += count;
    return unreported >= bytes / 4;
  }

  /** The bytes read since this was asked before. */
  int takeRead() {
    int count = unreported;
    readOfWindow += count;
    unreported = 0;
    return count;
  }

  /** Bytes by which the window is larger from now on; 0 as long as it suffices. */
  int takeGrowth() {
    if (readOfWindow < bytes) {
      return 0;
    }
    long now = System.nanoTime();
    boolean fast = now - beganNanos < FAST_NANOS;
    beganNanos = now;
    readOfWindow = 0;
    int growth = fast && bytes < MAX_BYTES && isTaken(bytes) ? bytes : 0;
    bytes += growth;
    return growth;
  }

  private boolean isTaken(int more) {
    boolean taken = metrics.windows.take(more);
    if (!taken) {
      metrics.narrowed.increment();
    }
    return taken;
  }

  /** Gives back what it grew by. Once. */
  void release() {
    metrics.windows.release(bytes - firstBytes);
  }
}
