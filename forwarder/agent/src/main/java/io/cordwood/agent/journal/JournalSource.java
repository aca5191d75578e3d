package io.cordwood.agent.journal;

import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.PreparedBatch;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the entries of the journal, from a cursor on, for as long as it runs. A {@code journalctl}
 * that ends is started again where the entries that were read ended. The cursor to be kept is that
 * of the last entry up to which all have arrived.
 */
public final class JournalSource {
  /** Bytes of entries that have not arrived; reading waits beyond it, and so does journalctl. */
  public static final int MOST_HELD_BYTES = 4 << 20;

  private static final long LOOK_MILLIS = 100;
  private static final Duration REFUSED = Duration.ofSeconds(10);
  private static final File NOTHING = new File("/dev/null");

  private final JournalOptions options;
  private final Forwarder forwarder;
  private final Consumer<String> says;
  private final Semaphore room = new Semaphore(MOST_HELD_BYTES);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final LongAdder read = new LongAdder();
  private final LongAdder arrived = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /** Guarded by itself: those on their way, in their order. */
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();

  private boolean isRetryDue;
  private String readCursor;
  private volatile String cursor;
  private volatile @Nullable Process process;
  private volatile boolean isWell = true;
  private String said = "";

  /** An entry on its way. */
  private static final class Sent {
    final String cursor;
    @Nullable PreparedBatch batch;
    int bytes;
    boolean isRefused;
    boolean hasArrived;

    Sent(String cursor) {
      this.cursor = cursor;
    }
  }

  private JournalSource(
      JournalOptions options, Forwarder forwarder, String cursor, Consumer<String> says) {
    this.options = options;
    this.forwarder = forwarder;
    this.cursor = cursor;
    this.readCursor = cursor;
    this.says = says;
  }

  /**
   * Begins to read.
   *
   * @param cursor of the last entry that is not wanted; empty for none
   * @param says hears why the journal cannot be read, on another thread
   */
  public static JournalSource start(
      JournalOptions options, Forwarder forwarder, String cursor, Consumer<String> says) {
    var source = new JournalSource(options, forwarder, cursor, says);
    Thread.ofPlatform().daemon().name("journal").start(source::run);
    return source;
  }

  /** The cursor up to which all have arrived; for any thread. */
  public String cursor() {
    return cursor;
  }

  /** Its figures, as further members of a JSON object. */
  public String json() {
    return ",\"journal_entries\":%d,\"journal_acknowledged\":%d,\"journal_failures\":%d"
        .formatted(read.sum(), arrived.sum(), failures.sum());
  }

  private void run() {
    int inTurn = 0;
    boolean isOver = false;
    try {
      while (!isOver) {
        long before = read.sum();
        isWell = readAll();
        inTurn = read.sum() > before ? 0 : Math.min(inTurn + 1, 5);
        if (!isWell && stop.getCount() > 0) {
          failures.increment();
        }
        isOver = options.once() || stop.await(1L << inTurn, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.countDown();
    }
  }

  /** Reads until journalctl ends; whether it ended well. */
  private boolean readAll() throws InterruptedException {
    try {
      Process started =
          new ProcessBuilder(options.command(readCursor))
              .redirectInput(NOTHING)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      process = started;
      if (stop.getCount() == 0) {
        end(started);
      }
      try (InputStream out = new BufferedInputStream(started.getInputStream(), 1 << 16)) {
        var export = new JournalExport(out);
        JournalEntry entry = export.next();
        while (entry != null && send(entry)) {
          entry = export.next();
        }
      } finally {
        end(started);
      }
      int code = started.waitFor();
      boolean isAsked = stop.getCount() == 0;
      if (code != 0 && !isAsked) {
        say("ended with exit code " + code);
      }
      return code == 0 || isAsked;
    } catch (IOException e) {
      if (stop.getCount() > 0) {
        say(String.valueOf(e.getMessage()));
      }
      return false;
    }
  }

  private void say(String reason) {
    if (!reason.equals(said)) {
      said = reason;
      says.accept(
          options.command().getFirst()
              + ": "
              + reason
              + (options.once() ? "" : "; it is started again"));
    }
  }

  /** False if no more is taken. */
  private boolean send(JournalEntry entry) throws InterruptedException {
    var next = new Sent(entry.cursor());
    PreparedBatch batch =
        entry.batch(options.topic(), options.labels(), () -> arrived(next), () -> refused(next));
    next.bytes = Math.min(batch.bytes().length, MOST_HELD_BYTES);
    while (!room.tryAcquire(next.bytes, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      if (stop.getCount() == 0) {
        return false;
      }
    }
    synchronized (sent) {
      next.batch = batch;
      sent.add(next);
    }
    readCursor = next.cursor.isEmpty() ? readCursor : next.cursor;
    read.increment();
    return forwarder.send(batch);
  }

  private void arrived(Sent entry) {
    room.release(entry.bytes);
    arrived.increment();
    synchronized (sent) {
      entry.hasArrived = true;
      entry.batch = null;
      while (!sent.isEmpty() && sent.getFirst().hasArrived) {
        String of = sent.removeFirst().cursor;
        cursor = of.isEmpty() ? cursor : of;
      }
    }
  }

  /** Whoever refuses it now may take it later, and other entries meanwhile. */
  private void refused(Sent entry) {
    synchronized (sent) {
      entry.isRefused = true;
      if (!isRetryDue) {
        isRetryDue = true;
        CompletableFuture.delayedExecutor(REFUSED.toSeconds(), TimeUnit.SECONDS)
            .execute(this::sendRefused);
      }
    }
  }

  private void sendRefused() {
    List<PreparedBatch> batches = new ArrayList<>();
    Set<Origin> origins = new LinkedHashSet<>();
    synchronized (sent) {
      isRetryDue = false;
      for (Sent entry : sent) {
        PreparedBatch batch = entry.batch;
        if (entry.isRefused && batch != null) {
          entry.isRefused = false;
          batches.add(batch);
          origins.add(batch.origin());
        }
      }
    }
    if (stop.getCount() > 0) {
      origins.forEach(forwarder::admit);
      batches.forEach(forwarder::send);
    }
  }

  /** Reads no more; what is on its way may still arrive. */
  public void stop() {
    stop.countDown();
    Process running = process;
    if (running != null) {
      end(running);
    }
  }

  private static void end(Process running) {
    running.descendants().forEach(ProcessHandle::destroy);
    running.destroy();
  }

  /**
   * Waits until all was read and has arrived.
   *
   * @return whether it is so, and the journal could be read
   */
  public boolean await(Duration longest) throws InterruptedException {
    long deadline = System.nanoTime() + Math.min(longest.toNanos(), Long.MAX_VALUE / 4);
    boolean isRead = ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    while (isRead && !isEmpty() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS / 10);
    }
    return isRead && isEmpty() && isWell;
  }

  private boolean isEmpty() {
    synchronized (sent) {
      return sent.isEmpty();
    }
  }
}
