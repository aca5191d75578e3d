package io.cordwood.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tells the threads of a store, which are never interrupted, that it is being closed. */
public final class StopFlag {
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Wakes all that wait; it cannot be taken back. From any thread, any number of times. */
  public void stop() {
    stopped.countDown();
  }

  public boolean isStopping() {
    return stopped.getCount() == 0;
  }

  /**
   * Does one step after the other until the store stops.
   *
   * @param step gives how long to wait after it
   */
  public void repeat(Supplier<Duration> step) throws InterruptedException {
    boolean over = false;
    while (!over) {
      over = await(step.get());
    }
  }

  /** Waits, but no longer than until the store stops; whether it does. */
  public boolean await(Duration longest) throws InterruptedException {
    return stopped.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }
}
