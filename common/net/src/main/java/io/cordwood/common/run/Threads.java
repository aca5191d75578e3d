package io.cordwood.common.run;

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
