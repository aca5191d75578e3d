package io.cordwood.common.cluster;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The thread of a node's membership, in virtual time. */
final class VirtualExecutor extends AbstractExecutorService implements ScheduledExecutorService {
  private final VirtualTime time;
  private boolean ended;

  VirtualExecutor(VirtualTime time) {
    this.time = time;
  }

  @Override
  public void execute(Runnable task) {
    schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    if (ended) {
      throw new RejectedExecutionException("ended");
    }
    return VirtualTask.once(time, unlessEnded(task), unit.toNanos(delay));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long first, long pause, TimeUnit unit) {
    return VirtualTask.repeated(time, unlessEnded(task), unit.toNanos(first), unit.toNanos(pause));
  }

  private Runnable unlessEnded(Runnable task) {
    return () -> {
      if (!ended) {
        task.run();
      }
    };
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("nobody asks for a result");
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long first, long period, TimeUnit unit) {
    throw new UnsupportedOperationException("nobody keeps to a rate");
  }

  @Override
  public void shutdown() {
    ended = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    ended = true;
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return ended;
  }

  @Override
  public boolean isTerminated() {
    return ended;
  }

  @Override
  public boolean awaitTermination(long most, TimeUnit unit) {
    return ended;
  }
}
