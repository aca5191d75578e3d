package io.cordwood.ingest;

import java.util.concurrent.atomic.AtomicLong;

/** How much memory the unfinished records and batches of all connections take, and may take. */
final class HeldBytes {
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();

  HeldBytes(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  void add(long change) {
    bytes.addAndGet(change);
  }

  long bytes() {
    return bytes.get();
  }

  /** Whether those who hold much should let go of it. */
  boolean tooMany() {
    return bytes.get() > maxBytes;
  }
}
