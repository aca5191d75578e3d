package io.cordwood.store.replicate;

import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings segments to as many other stores as have to have them, each to its own. A store that fails
 * is replaced by another one at once, until there is none that was not tried. Safe for all threads.
 */
public final class Replicator {
  private static final Logger LOG = LoggerFactory.getLogger(Replicator.class);

  private final int copies;
  private final PeerChoice choice;
  private final Replicas client;
  private final StoreMetrics metrics;
  private final Executor beside;
  private final LongSupplier nanoTime;

  /**
   * @param copies on other stores that each segment needs
   * @param beside runs what is done at the same time: all that it is given, at once or in turn
   * @param nanoTime that only ever goes on, as {@link System#nanoTime}
   */
  public Replicator(
      int copies,
      PeerChoice choice,
      Replicas client,
      StoreMetrics metrics,
      Executor beside,
      LongSupplier nanoTime) {
    this.copies = copies;
    this.choice = choice;
    this.client = client;
    this.metrics = metrics;
    this.beside = beside;
    this.nanoTime = nanoTime;
  }

  /**
   * Sends a segment's file. When this returns, it is durable on as many other stores as need be.
   *
   * @param labelled whether it may have batches with labels, which not every store takes
   * @param deadlineNanos by the same clock, when that has to be done
   * @throws ReplicationException if it cannot be done; some may have it then
   */
  public void replicate(Path file, long bytes, boolean labelled, long deadlineNanos)
      throws ReplicationException {
    if (copies == 0) {
      return;
    }
    var round = new Round(file, bytes, labelled, deadlineNanos);
    var done = new CountDownLatch(copies - 1);
    for (int i = 1; i < copies; i++) {
      beside.execute(() -> {
        try {
          round.sendOne();
        } finally {
          done.countDown();
        }
      });
    }
    round.sendOne();
    await(done);
    round.check();
  }

  private static void await(CountDownLatch done) throws ReplicationException {
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReplicationException("interrupted");
    }
  }

  /** One segment, and who has it or failed to take it. */
  private final class Round {
    private final Path file;
    private final long bytes;
    private final boolean labelled;
    private final long deadlineNanos;
    private final Set<String> tried = new HashSet<>();
    private final ConcurrentLinkedQueue<StorePeer> holders = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    Round(Path file, long bytes, boolean labelled, long deadlineNanos) {
      this.file = file;
      this.bytes = bytes;
      this.labelled = labelled;
      this.deadlineNanos = deadlineNanos;
    }

    /** Sends it to one more store, whichever takes it. */
    void sendOne() {
      boolean sent = false;
      Optional<StorePeer> peer = nextPeer();
      while (peer.isPresent() && !sent) {
        sent = sendTo(peer.get());
        peer = sent ? peer : nextPeer();
      }
    }

    private synchronized Optional<StorePeer> nextPeer() {
      if (deadlineNanos - nanoTime.getAsLong() <= 0) {
        failures.add("out of time");
        return Optional.empty();
      }
      Optional<StorePeer> peer = choice.next(tried, labelled);
      peer.ifPresent(p -> tried.add(p.nodeId()));
      return peer;
    }

    private boolean sendTo(StorePeer peer) {
      try {
        client.send(peer, file, Duration.ofNanos(deadlineNanos - nanoTime.getAsLong()));
        holders.add(peer);
        metrics.replicaSent(bytes);
        return true;
      } catch (IOException | RuntimeException e) {
        choice.failed(peer);
        metrics.failed("send");
        LOG.warn("{}: not replicated there: {}", peer, e.getMessage());
        failures.add(peer.nodeId());
        return false;
      }
    }

    void check() throws ReplicationException {
      if (holders.size() < copies) {
        throw new ReplicationException(
            "expected %d other stores to take a copy, found %d; failed: %s"
                .formatted(copies, holders.size(), List.copyOf(failures)));
      }
    }
  }
}
