package io.cordwood.common.cluster;

import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** Something that is to be done at a time, once or again and again, until it is cancelled. */
final class VirtualTask extends FutureTask<@Nullable Void>
    implements RunnableScheduledFuture<@Nullable Void>, Disposable {
  private static final long ONCE = -1;

  private final VirtualTime time;
  private final long periodNanos;
  private long dueNanos;

  private VirtualTask(VirtualTime time, Runnable run, long delayNanos, long periodNanos) {
    super(run, null);
    this.time = time;
    this.periodNanos = periodNanos;
    due(delayNanos);
  }

  static VirtualTask once(VirtualTime time, Runnable run, long delayNanos) {
    return new VirtualTask(time, run, delayNanos, ONCE);
  }

  static VirtualTask repeated(VirtualTime time, Runnable run, long firstNanos, long periodNanos) {
    return new VirtualTask(time, run, firstNanos, periodNanos);
  }

  private void due(long delayNanos) {
    dueNanos = time.nanos() + Math.max(0, delayNanos);
    time.after(delayNanos, this);
  }

  @Override
  public void run() {
    if (isCancelled()) {
      return;
    }
    if (!isPeriodic()) {
      super.run();
    } else if (runAndReset()) {
      due(periodNanos);
    }
  }

  @Override
  public boolean isPeriodic() {
    return periodNanos != ONCE;
  }

  @Override
  public void dispose() {
    cancel(false);
  }

  @Override
  public boolean isDisposed() {
    return isDone();
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(dueNanos - time.nanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
  }
}
