package io.cordwood.common.http;

import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread wait until an event loop has changed something. The loop never blocks here: it
 * changes what the condition reads (volatile state), then wakes.
 */
public final class WaitSignal {
  private volatile @Nullable Thread waiter;

  /**
   * Waits until the condition holds.
   *
   * @return whether it came to hold within the time
   */
  public boolean await(BooleanSupplier condition, long timeoutNanos) throws InterruptedIOException {
    if (condition.getAsBoolean()) {
      return true;
    }
    long deadline = System.nanoTime() + timeoutNanos;
    waiter = Thread.currentThread();
    try {
      return parkUntil(condition, deadline);
    } finally {
      waiter = null;
    }
  }

  private boolean parkUntil(BooleanSupplier condition, long deadline)
      throws InterruptedIOException {
    while (!condition.getAsBoolean()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted while waiting for the network");
      }
    }
    return true;
  }

  public void wake() {
    Thread thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
