package io.cordwood.common.run;

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
}
