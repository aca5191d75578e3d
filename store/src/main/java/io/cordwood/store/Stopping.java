package io.cordwood.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells the threads of a store, which are never interrupted, that it is being closed. */
final class Stopping {
  private final CountDownLatch stopped = new CountDownLatch(1);

  void stop() {
    stopped.countDown();
  }

  boolean isStopping() {
    return stopped.getCount() == 0;
  }

  /** Waits, but no longer than until the store stops; whether it does. */
  boolean await(Duration longest) throws InterruptedException {
    return stopped.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }
}
