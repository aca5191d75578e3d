package io.cordwood.store.claim;

import io.cordwood.common.run.Threads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Virtual threads that somebody waits for at the end. For all threads. */
final class VirtualThreads {
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /** Starts one. */
  public void start(String name, Runnable work) {
    Thread thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(() -> {
              try {
                work.run();
              } finally {
                running.remove(Thread.currentThread());
              }
            });
    running.add(thread);
    thread.start();
  }

  /** Waits until those have ended that were started, however long that takes. */
  public void join() {
    running.forEach(Threads::join);
  }
}
