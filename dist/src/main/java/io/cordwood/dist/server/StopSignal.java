package io.cordwood.dist.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wish of whoever started this process that it ends: SIGTERM, SIGINT or SIGHUP, through the
 * JVM's shutdown hooks. The process then lives on until {@link #close}, at most for the grace or
 * until a second signal, and ends with the exit code that stands for the first: 143, 130, 129. Safe
 * for all threads.
 *
 * <p>Signals within a second of the first are one wish with it: {@code timeout} signals its child
 * and then the process group that the child is in, a terminal that is closed hangs up twice, and
 * whoever wants to end at once signals again.
 *
 * <p>A second signal is told by the JVM's threads: each signal gets one, {@code SIGTERM handler} or
 * alike, that waits for the end of the process. Nothing else that programs may use without warnings
 * tells of it. In a JVM that names them otherwise a second signal changes nothing, and the grace
 * holds.
 *
 * <p>A part of a {@link RunGroup}: it runs by {@link #await} and is interrupted by {@link
 * #release}.
 */
final class StopSignal implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StopSignal.class);
  private static final long LOOK_MILLIS = 50;
  private static final long ONE_WISH_NANOS = TimeUnit.SECONDS.toNanos(1);

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
    long start = System.nanoTime();
    long first = 0;
    boolean together = true;
    try {
      while (!stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        long elapsed = System.nanoTime() - start;
        if (together) {
          first = signals();
          together = elapsed < ONE_WISH_NANOS;
        } else if (signals() > first) {
          log.warn("a second signal: this process ends at once");
          return;
        }
        if (elapsed > grace.toNanos()) {
          log.warn("an orderly end took more than {} s: this process ends", grace.toSeconds());
          return;
        }
      }
    } catch (InterruptedException e) {
      // Nobody interrupts hooks; if someone did, the process just ends now.
    }
  }

  /** Signals that came since the process began to end, told by the threads that wait for it. */
  private static long signals() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    for (ThreadGroup up = root.getParent(); up != null; up = up.getParent()) {
      root = up;
    }
    Thread[] threads = new Thread[root.activeCount() + 64];
    root.enumerate(threads);
    return Arrays.stream(threads)
        .filter(Objects::nonNull)
        .filter(thread -> thread.getName().matches("SIG[A-Z]+ handler"))
        .count();
  }
}
