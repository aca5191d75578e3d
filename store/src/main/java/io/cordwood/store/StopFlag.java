package io.cordwood.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells the threads of a store, which are never interrupted, that it is being closed. */
public final class StopFlag {
  private final CountDownLatch stopped = new CountDownLatch(1);

  public void stop() {
    stopped.countDown();
  }

  public boolean isStopping() {
    return stopped.getCount() == 0;
  }

  /** Waits, but no longer than until the store stops; whether it does. */
  public boolean await(Duration longest) throws InterruptedException {
    return stopped.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }
}
