package io.cordwood.common.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wish of whoever started this process that it ends: SIGTERM, SIGINT or SIGHUP, through the
 * JVM's shutdown hooks. The process then lives on until {@link #close}, at most for the grace, and
 * ends with the exit code that stands for the signal: 143, 130, 129. Safe for all threads.
 *
 * <p>A part of a {@link RunGroup}: it runs by {@link #await} and is interrupted by {@link
 * #release}.
 */
public final class StopSignal implements AutoCloseable {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Duration grace;
  private final Thread hook = new Thread(this::askAndWait, "stop-signal");

  private StopSignal(Duration grace) {
    this.grace = grace;
  }

  /**
   * Listens for signals from now on.
   *
   * @param grace how long an orderly end may take, before the process ends all the same
   */
  public static StopSignal install(Duration grace) {
    StopSignal signal = new StopSignal(grace);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Blocks until a signal came, or {@link #release} was called. */
  public void await() throws InterruptedException {
    asked.await();
  }

  /** Makes {@link #await} return. */
  public void release() {
    asked.countDown();
  }

  /** All that had to be put in order is: the process may end. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and this let it go on.
    }
  }

  private void askAndWait() {
    asked.countDown();
    try {
      stopped.await(grace.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts hooks; if someone did, the process just ends now.
    }
  }
}
