package io.cordwood.common.run;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Threads that others wait for. */
public final class Threads {
  private Threads() {}

  /**
   * Waits until a thread has ended, however long that takes. An interrupt meanwhile does not end
   * the wait, and is there for the caller after it.
   */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until a thread has ended, but no longer than this; an interrupt is as above.
   *
   * @return whether it has ended
   */
  public static boolean join(Thread thread, Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    boolean interrupted = false;
    for (long left = longest.toNanos();
        thread.isAlive() && left > 0;
        left = end - System.nanoTime()) {
      try {
        var _ = thread.join(Duration.ofNanos(left));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  /**
   * Waits for a result, however long that takes. An interrupt meanwhile does not end the wait, and
   * is there for the caller after it.
   *
   * @throws ExecutionException if it failed
   */
  public static <T> T await(Future<T> result) throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
