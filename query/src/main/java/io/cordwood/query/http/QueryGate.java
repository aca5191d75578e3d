package io.cordwood.query.http;

import io.cordwood.common.http.server.ClientGoneException;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.ScanStats.Snapshot;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Lets a bounded number of queries run at once, and counts what they did. What other nodes ask for
 * while they gather goes through a gate of its own: such a question waits for no other node, so
 * nodes that ask each other never wait in a circle, and clients' queries cannot shut out the
 * cluster's. One of too many waits there for a moment, since it is a part of an answer that is
 * given already. For all threads.
 */
public final class QueryGate {
  /** More than a watch counts at once. */
  private static final int MOST_OF_RULES = 8;

  private static final int RETRY_AFTER_SECONDS = 1;
  private static final String QUERIES = "queries";
  private static final String STREAMS = "streams";

  private final int most;
  private final String what;
  private final Duration longestWait;
  private final Semaphore slots;
  private final Counter refused;
  private final Counter abandoned;
  private final Counter bytesScanned;
  private final Counter bytesRead;
  private final Counter blocksSkipped;
  private final Counter blocksDamaged;
  private final Timer duration;
  private final Optional<GatherRoom> room;

  private QueryGate(
      int most,
      String what,
      Duration longestWait,
      Optional<GatherRoom> room,
      String name,
      MeterRegistry meters) {
    this.room = room;
    this.most = most;
    this.what = what;
    this.longestWait = longestWait;
    this.slots = new Semaphore(most, true);
    this.refused = meters.counter(name + ".refused");
    this.abandoned = meters.counter(name + ".abandoned");
    this.bytesScanned = meters.counter(name + ".scanned.bytes");
    this.bytesRead = meters.counter(name + ".read.bytes");
    this.blocksSkipped = meters.counter(name + ".blocks.skipped");
    this.blocksDamaged = meters.counter(name + ".blocks.damaged");
    this.duration = meters.timer(name + ".duration");
    meters.gauge(name + ".running", slots, s -> most - s.availablePermits());
  }

  /** For what clients ask, as far as there is room for the answers of other nodes. */
  public static QueryGate forClients(int most, GatherRoom room, MeterRegistry meters) {
    return new QueryGate(most, QUERIES, Duration.ZERO, Optional.of(room), "cordwood.query", meters);
  }

  /**
   * For what nodes ask that gather.
   *
   * @param longestWait less than a node that gathers waits for it to begin
   */
  public static QueryGate forPeers(int most, Duration longestWait, MeterRegistry meters) {
    return new QueryGate(
        most, QUERIES, longestWait, Optional.empty(), "cordwood.query.tier", meters);
  }

  /** For what the node asks itself, so that clients cannot shut out its alerts. */
  public static QueryGate forRules(GatherRoom room, MeterRegistry meters) {
    return new QueryGate(
        MOST_OF_RULES, QUERIES, Duration.ZERO, Optional.of(room), "cordwood.rules.query", meters);
  }

  /** For clients' streams, which run until they leave. */
  public static QueryGate forStreams(int most, MeterRegistry meters) {
    return new QueryGate(most, STREAMS, Duration.ZERO, Optional.empty(), "cordwood.stream", meters);
  }

  /** For the streams of nodes that merge. */
  public static QueryGate forPeersStreams(MeterRegistry meters) {
    return new QueryGate(
        2048, STREAMS, Duration.ZERO, Optional.empty(), "cordwood.stream.tier", meters);
  }

  /** Answers a query. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  /**
   * Runs a query that may ask other nodes, or refuses it if too many run.
   *
   * @param stats that the query counts in
   * @throws HttpError 503 if it is refused
   */
  public void run(ScanStats stats, Task task) throws IOException {
    run(stats, false, task);
  }

  /**
   * Runs a query, or refuses it if too many run.
   *
   * @param stats that the query counts in
   * @param here whether it asks no other node
   * @throws HttpError 503 if it is refused
   */
  public void run(ScanStats stats, boolean here, Task task) throws IOException {
    enter();
    try {
      if (room.isPresent() && !here) {
        try (GatherRoom.Taken _ = room.get().take()) {
          runCounted(stats, task);
        }
      } else {
        runCounted(stats, task);
      }
    } finally {
      slots.release();
    }
  }

  private void runCounted(ScanStats stats, Task task) throws IOException {
    long start = System.nanoTime();
    try {
      runUnwrapped(task);
    } catch (QueryAbandonedException e) {
      abandoned.increment();
    } catch (ClientGoneException e) {
      abandoned.increment();
      throw e;
    } finally {
      duration.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
      count(stats.snapshot());
    }
  }

  /** Writers of JSON wrap what their streams throw. */
  private static void runUnwrapped(Task task) throws IOException {
    try {
      task.run();
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private void enter() throws QueryAbandonedException {
    try {
      if (!slots.tryAcquire(longestWait.toNanos(), TimeUnit.NANOSECONDS)) {
        refused.increment();
        throw HttpError.busy(
            "%d %s are running, which is the limit; try again in %d s"
                .formatted(most, what, RETRY_AFTER_SECONDS),
            RETRY_AFTER_SECONDS);
      }
    } catch (InterruptedException e) {
      throw new QueryAbandonedException();
    }
  }

  private void count(Snapshot stats) {
    bytesScanned.increment(stats.bytesScanned());
    bytesRead.increment(stats.bytesRead());
    blocksSkipped.increment(stats.blocks().skipped());
    blocksDamaged.increment(stats.blocks().damaged());
  }
}
