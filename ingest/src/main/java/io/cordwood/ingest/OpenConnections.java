package io.cordwood.ingest;

import java.util.concurrent.atomic.AtomicInteger;

/** How many senders are connected, over all ports, and how many may be. Safe for all threads. */
final class OpenConnections {
  private final int max;
  private final AtomicInteger count = new AtomicInteger();

  OpenConnections(int max) {
    this.max = max;
  }

  /** Counts one more; false if that would be too many. */
  boolean open() {
    if (count.incrementAndGet() <= max) {
      return true;
    }
    count.decrementAndGet();
    return false;
  }

  void closed() {
    count.decrementAndGet();
  }

  int count() {
    return count.get();
  }

  int max() {
    return max;
  }
}
