package io.cordwood.ingest;

import java.util.concurrent.atomic.AtomicLong;

/** How much memory the unfinished records and batches of all connections take, and may take. */
public final class HeldBytes {
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();

  public HeldBytes(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  public void add(long change) {
    bytes.addAndGet(change);
  }

  public long bytes() {
    return bytes.get();
  }

  /** Whether those who hold much should let go of it. */
  public boolean tooMany() {
    return bytes.get() > maxBytes;
  }
}
