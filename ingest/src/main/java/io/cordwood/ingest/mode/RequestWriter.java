package io.cordwood.ingest.mode;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way of one HTTP request to the segment of a loop: its thread hands over one batch after the
 * other, and waits. For one thread, which blocks here; its locks are held for no longer than an
 * append takes.
 */
public final class RequestWriter implements LoopGate.Sender, AutoCloseable {
  private final EventLoop executor;
  private final LoopWriter loop;
  private final ConnectionWriter writer;
  private final Consumer<RequestWriter> onEnd;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable StampedBatch untaken;
  private @Nullable RefusedException refused;
  private long taken;
  private long safe;

  /**
   * @param executor that owns the loop's writer
   * @param onEnd called on it once nothing more comes
   */
  public RequestWriter(EventLoop executor, LoopWriter loop, Consumer<RequestWriter> onEnd) {
    this.executor = executor;
    this.loop = loop;
    this.onEnd = onEnd;
    this.writer = new ConnectionWriter(loop, this::progressed);
  }

  /**
   * Hands over a batch; when this returns, its buffers are not needed any more.
   *
   * @throws RefusedException if it was not taken, and counted as rejected: now is not the time
   */
  public void append(StampedBatch batch, Duration longest) throws RefusedException {
    lock.lock();
    try {
      untaken = batch;
      executor.execute(this::write);
      await(() -> untaken == null, longest);
      taken += batch.records();
    } catch (RejectedExecutionException e) {
      untaken = null;
      batch.reject(RejectReason.CLOSED);
      throw closing();
    } catch (RefusedException e) {
      if (untaken != null) {
        untaken = null;
        batch.reject(e.reason());
      }
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all that was handed over is as safe as the mode promises.
   *
   * @throws RefusedException if that is not so: some of it may be stored nevertheless
   */
  public void awaitSafe(Duration longest) throws RefusedException {
    lock.lock();
    try {
      await(() -> safe >= taken, longest);
    } finally {
      lock.unlock();
    }
  }

  private void await(BooleanSupplier done, Duration longest) throws RefusedException {
    long left = longest.toNanos();
    while (!done.getAsBoolean()) {
      if (refused != null) {
        throw refused;
      }
      if (left <= 0) {
        throw new RefusedException(
            RejectReason.DISK,
            "the disk has taken nothing for %d s; try again later".formatted(longest.toSeconds()));
      }
      try {
        left = changed.awaitNanos(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw closing();
      }
    }
  }

  private void write() {
    lock.lock();
    try {
      if (untaken == null) {
        return; // Its request has given up.
      }
      loop.gate().add(this);
      if (writer.append(untaken)) {
        untaken = null;
        noteSafe();
      } else {
        loop.gate().await(this);
      }
    } finally {
      lock.unlock();
    }
  }

  private void progressed() {
    lock.lock();
    try {
      noteSafe();
    } finally {
      lock.unlock();
    }
  }

  private void noteSafe() {
    safe = writer.safeRecords();
    changed.signalAll();
  }

  /** Nothing is read here: a batch that is not taken is what makes the request wait. */
  @Override
  public void pause() {}

  @Override
  public void resume() {}

  @Override
  public void retry() {
    write();
  }

  @Override
  public void refuse(RefusedException why) {
    lock.lock();
    try {
      refused = refused == null ? why : refused;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** For any thread: refuses what was not handed over yet. */
  public void abandon() {
    refuse(closing());
  }

  private static RefusedException closing() {
    return new RefusedException(RejectReason.CLOSED, "the node is being closed");
  }

  /** Ends the request; what was handed over becomes as safe as the mode promises, or is lost. */
  @Override
  public void close() {
    onEnd.accept(this);
    if (!executor.isShuttingDown()) {
      executor.execute(this::end);
    }
  }

  private void end() {
    loop.gate().remove(this);
    writer.ended();
  }
}
