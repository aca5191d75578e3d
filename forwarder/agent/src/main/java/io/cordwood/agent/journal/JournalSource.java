package io.cordwood.agent.journal;

import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.PreparedBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Sends the entries of the journal, from a cursor on, for as long as it runs. A {@code journalctl}
 * that ends is started again where the entries that were read ended. The cursor to be kept is that
 * of the last entry up to which all have arrived.
 *
 * <p>Refused entries hold up no others: beyond a bound they are put off, and read again once one
 * that had been refused arrives, or some minutes later.
 */
public final class JournalSource {
  /** Bytes of entries that have not arrived; reading waits beyond it, and so does journalctl. */
  public static final int MOST_HELD_BYTES = 4 << 20;

  private static final long LOOK_MILLIS = 100;

  /** After it refused entries are tried again; it doubles for as long as none is taken. */
  private static final long FIRST_PAUSE_MILLIS = 1000;

  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  /** Entries that are put off are read again after as many tries of those that are held. */
  private static final int TRIES_A_LOOK = 10;

  private final JournalOptions options;
  private final Forwarder forwarder;
  private final Consumer<String> says;
  private final Semaphore room = new Semaphore(MOST_HELD_BYTES);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final LongAdder read = new LongAdder();
  private final LongAdder arrived = new LongAdder();
  private final LongAdder putOff = new LongAdder();
  private final LongAdder cut = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicBoolean isRetryDue = new AtomicBoolean();
  private final JournalProcess again = new JournalProcess();
  private final SentEntries sent;
  private final AtomicLong pauseMillis = new AtomicLong(FIRST_PAUSE_MILLIS);
  private final AtomicInteger tries = new AtomicInteger();
  private volatile JournalProcess process = new JournalProcess();
  private volatile boolean isWell = true;
  private String said = "";

  private JournalSource(
      JournalOptions options, Forwarder forwarder, String cursor, Consumer<String> says) {
    this.options = options;
    this.forwarder = forwarder;
    this.sent = new SentEntries(cursor);
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
    return sent.cursor();
  }

  /** Its figures, as further members of a JSON object. */
  public String json() {
    return (",\"journal_entries\":%d,\"journal_acknowledged\":%d,\"journal_put_off\":%d"
            + ",\"journal_cut\":%d,\"journal_failures\":%d")
        .formatted(read.sum(), arrived.sum(), putOff.sum(), cut.sum(), failures.sum());
  }

  private void run() {
    int inTurn = 0;
    boolean isOver = false;
    try {
      while (!isOver) {
        long before = read.sum();
        isWell = readAll();
        inTurn = read.sum() > before ? 0 : Math.min(inTurn + 1, 5);
        if (!isWell && !isStopped()) {
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
    var started = new JournalProcess();
    process = started;
    if (isStopped()) {
      started.stop();
    }
    try {
      int code = started.read(options.command(sent.read()), this::take);
      if (code != 0) {
        say("ended with exit code " + code);
      }
      return code == 0;
    } catch (IOException e) {
      say(String.valueOf(e.getMessage()));
      return false;
    }
  }

  private boolean isStopped() {
    return stop.getCount() == 0;
  }

  private synchronized void say(String reason) {
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
  private boolean take(JournalEntry entry) throws InterruptedException {
    SentEntries.Sent next = sent.next(entry);
    PreparedBatch batch = batch(entry, next);
    if (!awaitRoom(batch)) {
      return false;
    }
    read.increment();
    cut.add(entry.cuts());
    return send(next, batch);
  }

  private PreparedBatch batch(JournalEntry entry, SentEntries.Sent next) {
    return entry.batch(options.topic(), options.labels(), () -> arrived(next), () -> refused(next));
  }

  /** False if no more is taken. */
  private boolean awaitRoom(PreparedBatch batch) throws InterruptedException {
    while (!room.tryAcquire(held(batch), LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      if (isStopped()) {
        return false;
      }
    }
    return true;
  }

  private static int held(PreparedBatch batch) {
    return Math.min(batch.bytes().length, MOST_HELD_BYTES);
  }

  private boolean send(SentEntries.Sent next, PreparedBatch batch) {
    sent.add(next, batch, held(batch));
    return forwarder.send(batch);
  }

  private void arrived(SentEntries.Sent entry) {
    arrived.increment(); // Before it is known that none are on their way.
    boolean wasRefused = sent.arrived(entry);
    room.release(entry.bytes());
    if (wasRefused) {
      pauseMillis.set(FIRST_PAUSE_MILLIS);
      readAgain();
    }
  }

  /** Whoever refuses it now may take it later, and other entries meanwhile. */
  private void refused(SentEntries.Sent entry) {
    if (sent.refused(entry)) {
      putOff.increment();
      room.release(entry.bytes());
    }
    tryLater();
  }

  private void tryLater() {
    if (!isStopped() && isRetryDue.compareAndSet(false, true)) {
      long pause = pauseMillis.getAndUpdate(last -> Math.min(2 * last, LONGEST_PAUSE_MILLIS));
      CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(this::sendRefused);
    }
  }

  private void sendRefused() {
    isRetryDue.set(false);
    if (isStopped()) {
      return;
    }
    List<PreparedBatch> batches = sent.takeRefused();
    Set<Origin> origins = new LinkedHashSet<>();
    batches.forEach(batch -> origins.add(batch.origin()));
    origins.forEach(forwarder::admit);
    batches.forEach(forwarder::send);
    if (tries.incrementAndGet() % TRIES_A_LOOK == 0 || batches.isEmpty()) {
      readAgain();
    }
    if (sent.arePutOff()) {
      tryLater();
    }
  }

  /** Reads what is put off, beside what comes. */
  private void readAgain() {
    sent.beginAgain()
        .ifPresent(part ->
            Thread.ofPlatform().daemon().name("journal-again").start(() -> readAgain(part)));
  }

  private void readAgain(SentEntries.PutOff part) {
    boolean isWhole = false;
    try {
      part.origins().forEach(forwarder::admit);
      isWhole = again.read(options.once(part.before()), entry -> takeAgain(part, entry)) == 0;
    } catch (IOException e) {
      failures.increment();
      say(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sent.endAgain(isWhole && !isStopped());
      if (sent.arePutOff()) {
        tryLater();
      }
    }
  }

  private boolean takeAgain(SentEntries.PutOff part, JournalEntry entry)
      throws InterruptedException {
    boolean isLast = entry.cursor().equals(part.until());
    var next = sent.again(part, entry);
    if (next.isPresent()) {
      PreparedBatch batch = batch(entry, next.get());
      boolean isOne = part.mayHave(batch.origin());
      if (isOne && !(awaitRoom(batch) && send(next.get(), batch))) {
        return false;
      }
    }
    return !isLast;
  }

  /** Reads no more; what is on its way may still arrive. */
  public void stop() {
    stop.countDown();
    process.stop();
    again.stop();
  }

  /**
   * Waits until all was read and has arrived.
   *
   * @return whether it is so, and the journal could be read
   */
  public boolean await(Duration longest) throws InterruptedException {
    long deadline = System.nanoTime() + Math.min(longest.toNanos(), Long.MAX_VALUE / 4);
    boolean isRead = ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    while (isRead && !sent.areNone() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS / 10);
    }
    return isRead && sent.areNone() && isWell;
  }
}
