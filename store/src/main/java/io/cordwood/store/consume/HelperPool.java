package io.cordwood.store.consume;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes work from a consumer that writes while others wait for something to write, so that a lone
 * one has their share of the processors, and never more threads write than there are consumers.
 * What is given when all are busy is not run: who gives it does it himself. For any thread.
 */
final class HelperPool implements Executor, AutoCloseable {
  private static final long IDLE_SECONDS = 10;

  private final int consumers;
  private final AtomicInteger writing = new AtomicInteger();
  private final ThreadPoolExecutor helpers;

  HelperPool(int consumers) {
    this.consumers = consumers;
    this.helpers =
        new ThreadPoolExecutor(
            0,
            consumers,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().name("consume-help-", 0).factory(),
            new ThreadPoolExecutor.DiscardPolicy());
  }

  /** A consumer begins to write. */
  void begin() {
    writing.incrementAndGet();
  }

  /** It has written. */
  void end() {
    writing.decrementAndGet();
  }

  @Override
  public void execute(Runnable task) {
    if (writing.get() + helpers.getActiveCount() < consumers) {
      helpers.execute(task);
    }
  }

  /** Waits for what is being done. */
  @Override
  public void close() {
    helpers.close();
  }
}
