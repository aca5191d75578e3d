package io.cordwood.ingest;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the unfinished records and batches of all connections take, and may take. Safe
 * for all threads.
 */
public final class BufferedBytesLimit {
  /** So much a connection may hold, however many there are and however much others hold. */
  private static final int LEAST_SHARE_BYTES = 4 << 10;

  /** However few connections there are, one that holds more can be told to let go of it. */
  private static final int LARGEST_SHARE_BYTES = 64 << 10;

  private final long maxBytes;
  private final OpenConnections connections;
  private final AtomicLong bytes = new AtomicLong();

  public BufferedBytesLimit(long maxBytes, OpenConnections connections) {
    this.maxBytes = maxBytes;
    this.connections = connections;
  }

  public void add(long change) {
    bytes.addAndGet(change);
  }

  public long bytes() {
    return bytes.get();
  }

  /**
   * Whether a connection that holds so much should let go of it: all together hold too much, and
   * this one more than its share.
   */
  public boolean isTooMuch(int own) {
    return bytes.get() > maxBytes && own > share();
  }

  private long share() {
    return Math.clamp(
        maxBytes / Math.max(1, connections.count()), LEAST_SHARE_BYTES, LARGEST_SHARE_BYTES);
  }
}
