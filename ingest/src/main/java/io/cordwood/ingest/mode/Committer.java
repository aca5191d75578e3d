package io.cordwood.ingest.mode;

import io.cordwood.common.run.Threads;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that makes batches of durable mode safe: group commit.
 *
 * <pre>
 *   loop 1 ── DurableWriter ──┐ batches, kept        ┌─► one write, one force ─► DurableFiles
 *   loop 2 ── DurableWriter ──┴──────► CommitGroup ──┘           │
 *      ▲          ▲                                              │ forced(n batches)
 *     acks        └──────────────────────────────────────────────┘
 * </pre>
 *
 * Whatever arrives while one group is written and forced is the next group, of all connections of
 * all loops; so a lone sender waits for its own force only, and the more senders wait, the fewer
 * forces there are for each. With a delay, a force waits for company for so long.
 *
 * <p>After an error nothing is known of what the file holds after its last force. So the group is
 * never acknowledged for that file and the file is never forced for it again: it is given up, and
 * the group is written anew, from memory, to a new file. A second error in a row means that the
 * node is degraded: all senders are told so and no new ones are taken, while the group is kept and
 * tried again now and then, each time in a new file. When that succeeds, senders are taken again.
 */
final class Committer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Committer.class);

  private final DurableFiles files;
  private final DurableMetrics metrics;
  private final long delayNanos;
  private final long retryNanos;
  private final List<DurableWriter> writers = new CopyOnWriteArrayList<>();
  private final Thread thread =
      Thread.ofPlatform().daemon().name("ingest-committer").unstarted(this::run);
  private final CommitSignal signal = new CommitSignal(thread);
  private volatile @Nullable String trouble;
  private volatile @Nullable String death;
  private volatile boolean closed;

  private Committer(DurableFiles files, IngestOptions.Committing options, DurableMetrics metrics) {
    this.files = files;
    this.metrics = metrics;
    this.delayNanos = options.delay().toNanos();
    this.retryNanos = options.retry().toNanos();
  }

  static Committer start(
      DurableFiles files, IngestOptions.Committing options, DurableMetrics metrics) {
    var committer = new Committer(files, options, metrics);
    committer.thread.start();
    return committer;
  }

  /** Takes a loop's batches from now on. */
  void serve(DurableWriter writer) {
    writers.add(writer);
  }

  CommitSignal signal() {
    return signal;
  }

  /** Why nothing is taken; empty as long as it is. For all threads. */
  Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }

  /** Why the thread has ended before its time; empty if it has not. For all threads. */
  Optional<String> death() {
    return Optional.ofNullable(death);
  }

  private void run() {
    try {
      commitUntilClosed();
    } catch (RuntimeException | Error e) {
      // Nothing more is acknowledged, and everybody is told so.
      death = "durable mode has failed, and needs a restart: " + e;
      log.error("the committer ended; durable mode takes nothing until the node is restarted", e);
      degrade(death);
    }
  }

  private void commitUntilClosed() {
    boolean last;
    do {
      awaitWork();
      last = closed;
      signal.endHurry();
      var group = CommitGroup.take(writers);
      if (!group.isEmpty()) {
        commit(group);
      }
      files.flushIfDue();
    } while (!last);
    files.flushAll();
  }

  private void awaitWork() {
    signal.setIdle(true);
    for (long left = workLeftNanos(); left > 0 && !closed; left = workLeftNanos()) {
      LockSupport.parkNanos(this, left);
    }
    signal.setIdle(false);
  }

  private long workLeftNanos() {
    if (signal.takeFlush()) {
      files.flushSoon();
    }
    long left = files.untilDueNanos();
    long now = System.nanoTime();
    for (DurableWriter writer : writers) {
      left = Math.min(left, writer.dueInNanos(now, signal.isHurried() ? 0 : delayNanos));
    }
    return left;
  }

  private void commit(CommitGroup group) {
    for (boolean again = false; !committed(group, again); again = true) {
      if (trouble != null && closed) {
        log.error("{} records that were not acknowledged are lost", group.records());
        group.lost();
        return;
      }
      if (trouble != null) {
        sleepUnlessClosed();
      }
    }
    group.forced();
  }

  private boolean committed(CommitGroup group, boolean again) {
    long start = System.nanoTime();
    try {
      files.commit(group);
    } catch (IOException | RuntimeException e) {
      failed(e, again);
      return false;
    }
    metrics.forces.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    metrics.groupRecords.record(group.records());
    metrics.groupBytes.record(group.bytes());
    if (trouble != null) {
      log.warn("the disk forces again; senders are taken in durable mode");
      metrics.degraded.set(0);
      trouble = null;
    }
    return true;
  }

  private void failed(Exception e, boolean again) {
    metrics.forceErrors.increment();
    files.giveUp();
    if (!again) {
      log.error("cannot force; the batches are written again, to a new file: {}", e.toString());
    } else if (trouble == null) {
      log.error("cannot force again; no senders are taken in durable mode until it works", e);
      degrade("the disk cannot force what it is given: " + e.getMessage());
    }
  }

  private void degrade(String why) {
    trouble = why;
    metrics.degraded.set(1);
    writers.forEach(writer -> writer.refuseAll(new RefusedException(RejectReason.DISK, why)));
  }

  private void sleepUnlessClosed() {
    long end = System.nanoTime() + retryNanos;
    for (long left = retryNanos; left > 0 && !closed; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  /**
   * Commits all that arrived, hands the file to the flusher, and ends the thread. What cannot be
   * forced even now is lost, and was not acknowledged. No batch may arrive any more.
   */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    Threads.join(thread);
  }
}
