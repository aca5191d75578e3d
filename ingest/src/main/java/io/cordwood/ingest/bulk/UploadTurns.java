package io.cordwood.ingest.bulk;

import io.cordwood.common.run.ByteBudget;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.ingest.IngestOptions.Bulk;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The memory of uploads that are received at once: a window each, for which others wait in turn. An
 * upload that has to pause, as its token has a rate, gives its window back meanwhile, and keeps
 * what is unread in it; of that, too, at most as many bytes as all windows have. For many threads,
 * which block here.
 */
final class UploadTurns {
  static final int BUFFER_BYTES = 2 * BatchHeader.MAX_BATCH_BYTES;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Bulk bulk;
  private final Semaphore turns = new Semaphore(0, true);
  private final Queue<byte[]> windows = new ConcurrentLinkedQueue<>();
  private final ByteBudget kept;

  UploadTurns(Bulk bulk) {
    this.bulk = bulk;
    this.kept = new ByteBudget((long) bulk.maxUploads() * BUFFER_BYTES);
  }

  /** Lets uploads begin; those that came before wait until then. */
  void open() {
    turns.release(bulk.maxUploads());
  }

  /**
   * Waits for a window, as long as an upload may wait to begin.
   *
   * @param nanos to wait before, for the rate of its token
   */
  byte[] begin(UploadSource source, long nanos) throws UploadRefusedException {
    sleep(source, nanos);
    return take(source, bulk.longestWait());
  }

  private byte[] take(UploadSource source, Duration longest) throws UploadRefusedException {
    long start = System.nanoTime();
    try {
      while (!turns.tryAcquire(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
        checkOpen(source);
        if (System.nanoTime() - start > longest.toNanos()) {
          throw new UploadRefusedException(
              Reason.BUSY,
              "expected at most " + bulk.maxUploads() + " uploads at once, found more; try later");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UploadRefusedException(Reason.CLOSING, "interrupted");
    }
    byte[] free = windows.poll();
    return free != null ? free : new byte[BUFFER_BYTES];
  }

  void end(byte[] window) {
    windows.add(window);
    turns.release();
  }

  /**
   * Pauses, without a window if possible.
   *
   * @param unread bytes at the window's start, which the new window has, too
   * @return the window to go on with
   * @throws UploadRefusedException if the node is being closed; the window was given back then
   */
  byte[] pause(UploadSource source, byte[] window, int unread, long nanos)
      throws UploadRefusedException {
    if (!kept.take(unread)) {
      return pauseInTurn(source, window, nanos);
    }
    byte[] rest = Arrays.copyOf(window, unread);
    end(window);
    try {
      sleep(source, nanos);
      byte[] next = take(source, Duration.ofNanos(Long.MAX_VALUE));
      System.arraycopy(rest, 0, next, 0, unread);
      return next;
    } finally {
      kept.release(unread);
    }
  }

  private byte[] pauseInTurn(UploadSource source, byte[] window, long nanos)
      throws UploadRefusedException {
    try {
      sleep(source, nanos);
      return window;
    } catch (UploadRefusedException e) {
      end(window);
      throw e;
    }
  }

  private static void sleep(UploadSource source, long nanos) throws UploadRefusedException {
    long start = System.nanoTime();
    long left = nanos;
    while (left > 0) {
      checkOpen(source);
      LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
      left = nanos - (System.nanoTime() - start);
    }
  }

  private static void checkOpen(UploadSource source) throws UploadRefusedException {
    if (source.closing().getAsBoolean()) {
      throw new UploadRefusedException(Reason.CLOSING, "the node is being closed");
    }
  }
}
