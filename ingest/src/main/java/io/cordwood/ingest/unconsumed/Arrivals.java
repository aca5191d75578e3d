package io.cordwood.ingest.unconsumed;

import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.Block;
import io.cordwood.ingest.segment.IngestLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records that this node receives, held for followers: the last {@link #HELD_BYTES}, once for
 * all, however many they are. A follower that reads too slowly is told how many records it missed;
 * nothing waits for it.
 *
 * <pre>
 *   segments ──► ArrivalReader ──► held blocks ──┬──► follower
 *    as they       a thread, while               ├──► follower
 *    grow          somebody follows              └──► …
 * </pre>
 *
 * While nobody follows there is no thread, and nothing is held. Senders' threads are never
 * involved. For all threads, none of which may be an event loop; one lock guards what is held.
 */
final class Arrivals implements ArrivalSource, AutoCloseable {
  /** Raw bytes of blocks, and what they take besides. */
  static final int HELD_BYTES = 16 << 20;

  /** The most bytes that a follower gets at once. */
  private static final int PORTION_BYTES = 1 << 20;

  private static final int BLOCK_OVERHEAD_BYTES = 300;
  private static final int BATCH_OVERHEAD_BYTES = 60;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

  private final IngestLog log;
  private final Counter missed;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final TreeMap<Long, Held> held = new TreeMap<>();
  private long heldBytes;
  private long blocks;
  private long records;
  private int followers;
  private @Nullable Reading reading;
  private boolean closed;

  /**
   * A block.
   *
   * @param recordsBefore that were received before it, ever
   */
  private record Held(Block block, long recordsBefore) {
    long bytes() {
      return block.to() + BLOCK_OVERHEAD_BYTES + (long) BATCH_OVERHEAD_BYTES * block.batches();
    }
  }

  Arrivals(IngestLog log, MeterRegistry meters) {
    this.log = log;
    this.missed = meters.counter("cordwood_ingest_follower_missed_records_total");
    meters.gauge("cordwood_ingest_followers", this, Arrivals::followers);
  }

  private int followers() {
    lock.lock();
    try {
      return followers;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Follower follow() throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new IOException("this node stops");
      }
      Reading running = reading;
      if (running == null) {
        running = new Reading(ArrivalReader.fromNow(log));
        reading = running;
        running.thread.start();
      }
      followers++;
      return new OneFollower(running);
    } finally {
      lock.unlock();
    }
  }

  private void add(Block block) {
    lock.lock();
    try {
      var next = new Held(block, records);
      held.put(blocks++, next);
      records += block.records();
      heldBytes += next.bytes();
      while (heldBytes > HELD_BYTES && held.size() > 1) {
        heldBytes -= held.pollFirstEntry().getValue().bytes();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The thread that reads segments while somebody follows. */
  private final class Reading implements Runnable {
    private final ArrivalReader reader;
    private final Thread thread;
    private boolean failed;

    Reading(ArrivalReader reader) {
      this.reader = reader;
      this.thread = Thread.ofPlatform().daemon().name("arrivals").unstarted(this);
    }

    @Override
    public void run() {
      try (reader) {
        while (isWanted()) {
          reader.poll(Arrivals.this::add);
          LockSupport.parkNanos(POLL_NANOS);
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("what is received cannot be followed", e);
      } finally {
        end();
      }
    }

    private boolean isWanted() {
      lock.lock();
      try {
        if (followers == 0 && isCurrent()) {
          reading = null;
          held.clear();
          heldBytes = 0;
        }
        return isCurrent() && !closed;
      } finally {
        lock.unlock();
      }
    }

    @SuppressWarnings("ReferenceEquality") // Which one it is.
    private boolean isCurrent() {
      return reading == this;
    }

    private void end() {
      lock.lock();
      try {
        failed = true;
        if (isCurrent()) {
          reading = null;
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private final class OneFollower implements Follower {
    private final Reading source;
    private long next = blocks;
    private long taken = records;
    private boolean left;

    OneFollower(Reading source) {
      this.source = source;
    }

    @Override
    public Arrived await(Duration longest) throws IOException, InterruptedException {
      lock.lockInterruptibly();
      try {
        long nanos = longest.toNanos();
        while (next == blocks && nanos > 0 && !closed && !source.failed) {
          nanos = changed.awaitNanos(nanos);
        }
        if (closed || source.failed) {
          throw new IOException(closed ? "this node stops" : "segments cannot be read");
        }
        return take();
      } finally {
        lock.unlock();
      }
    }

    private Arrived take() {
      List<Block> portion = new ArrayList<>();
      long bytes = 0;
      long lost = 0;
      for (Map.Entry<Long, Held> each : held.tailMap(next).entrySet()) {
        Held one = each.getValue();
        if (bytes > 0 && bytes + one.bytes() > PORTION_BYTES) {
          break;
        }
        lost += one.recordsBefore() - taken;
        taken = one.recordsBefore() + one.block().records();
        next = each.getKey() + 1;
        bytes += one.bytes();
        portion.add(one.block());
      }
      missed.increment(lost);
      return new Arrived(portion, lost);
    }

    @Override
    public void close() {
      lock.lock();
      try {
        followers -= left ? 0 : 1;
        left = true;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Ends all who follow; when it returns, no segment is read any more. */
  @Override
  public void close() {
    Reading running;
    lock.lock();
    try {
      closed = true;
      running = reading;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (running != null) {
      LockSupport.unpark(running.thread);
      join(running.thread);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
