package io.cordwood.common.cluster;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A thread of the gossip library, in virtual time. */
public final class VirtualScheduler implements Scheduler {
  private final VirtualTime time;
  private boolean ended;

  VirtualScheduler(VirtualTime time) {
    this.time = time;
  }

  @Override
  public Disposable schedule(Runnable task) {
    return schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    check();
    return VirtualTask.once(time, unlessEnded(task), unit.toNanos(delay));
  }

  @Override
  public Disposable schedulePeriodically(Runnable task, long first, long period, TimeUnit unit) {
    check();
    return VirtualTask.repeated(time, unlessEnded(task), unit.toNanos(first), unit.toNanos(period));
  }

  /** From now on a thread that the library asks for is one of these. */
  public static void replaceThreads(VirtualTime time) {
    Schedulers.setFactory(
        new Schedulers.Factory() {
          @Override
          public Scheduler newSingle(ThreadFactory threads) {
            return new VirtualScheduler(time);
          }
        });
  }

  private void check() {
    if (ended) {
      throw new RejectedExecutionException("ended");
    }
  }

  private Runnable unlessEnded(Runnable task) {
    return () -> {
      if (!ended) {
        task.run();
      }
    };
  }

  @Override
  public long now(TimeUnit unit) {
    return unit.convert(time.millis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public Worker createWorker() {
    return new Part();
  }

  @Override
  public void dispose() {
    ended = true;
  }

  @Override
  public boolean isDisposed() {
    return ended;
  }

  /** One user's part of the thread. */
  private final class Part implements Worker {
    private final Disposable.Composite tasks = Disposables.composite();

    @Override
    public Disposable schedule(Runnable task) {
      return VirtualScheduler.this.schedule(() -> unlessDisposed(task));
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      return kept(VirtualScheduler.this.schedule(() -> unlessDisposed(task), delay, unit));
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, long first, long period, TimeUnit unit) {
      return kept(VirtualScheduler.this.schedulePeriodically(task, first, period, unit));
    }

    private Disposable kept(Disposable task) {
      tasks.add(task);
      return task;
    }

    private void unlessDisposed(Runnable task) {
      if (!tasks.isDisposed()) {
        task.run();
      }
    }

    @Override
    public void dispose() {
      tasks.dispose();
    }

    @Override
    public boolean isDisposed() {
      return tasks.isDisposed();
    }
  }
}
