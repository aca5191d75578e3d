package io.cordwood.query.tail;

import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.tail.TailBuffer.Due;
import io.cordwood.query.tail.TailBuffer.Waiting;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Streams of the records of all nodes as they are received, without an end. Safe for all threads.
 *
 * <pre>
 *   nodes that receive ──► TailFeed ──┐   a thread each
 *                      ──► TailFeed ──┼──► TailBuffer ──► TailOutput ──► client
 *          history, once ─────────────┘    merges, bounds
 * </pre>
 *
 * Each node is followed before the history is searched, and each batch is given once; so between
 * the two there is neither a gap nor a double.
 */
public final class Tails implements AutoCloseable {
  /** Streams at once; each has a virtual thread, one more a node, and 1 MiB if it is slow. */
  static final int MAX_STREAMS = 1024;

  private static final Duration CONNECT = Duration.ofSeconds(2);

  /** A node that is followed says within that time that it is still there. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private static final int MAX_CATCH_UPS = 16;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final long TEND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final QueryExecutor executor;
  private final TailFeeds.Dependencies dependencies;
  private final InstantSource clock;
  private final QueryGate gate;
  private final TailMemory memory;

  /**
   * @param clock whose moments tell what came before a stream began
   */
  public Tails(
      LocalRecords records,
      QueryExecutor.Cluster cluster,
      QueryExecutor executor,
      InstantSource clock,
      MeterRegistry meters) {
    this.executor = executor;
    this.clock = clock;
    this.gate = QueryGate.forStreams(MAX_STREAMS, meters);
    this.memory = new TailMemory(meters);
    this.dependencies =
        new TailFeeds.Dependencies(
            cluster.self(),
            records,
            cluster.nodes(),
            new PeerClient(CONNECT, SILENCE, cluster.credentials()),
            executor,
            new Semaphore(MAX_CATCH_UPS));
  }

  /**
   * Gives an output what comes, until nobody reads it any more or this node stops.
   *
   * @throws HttpError 503 if too many streams run
   */
  public void run(Tail tail, TailOutput output) throws IOException {
    gate.run(new ScanStats(), () -> stream(tail, output));
  }

  private void stream(Tail tail, TailOutput output) throws IOException {
    try (var buffer = new TailBuffer(tail.window(), memory, tail.wanted());
        var feeds = new TailFeeds(dependencies, tail.query(), buffer, clock.instant())) {
      output.whenGone(() -> Thread.ofVirtual().start(buffer::end));
      feeds.start();
      var position = new TailPosition(feeds, buffer, tail.lateWindow(), output.tellsPosition());
      output.begin();
      if (tail.backlog().isPresent()) {
        new TailHistory(executor, buffer, position, output).give(tail.backlog().get());
      }
      follow(buffer, feeds, position, output);
    } catch (InterruptedException e) {
      throw new QueryAbandonedException();
    }
  }

  private void follow(TailBuffer buffer, TailFeeds feeds, TailPosition position, TailOutput output)
      throws IOException, InterruptedException {
    long writtenNanos = System.nanoTime();
    long tendedNanos = writtenNanos - TEND_NANOS;
    while (!output.isGone()) {
      if (System.nanoTime() - tendedNanos >= TEND_NANOS) {
        tendedNanos = System.nanoTime();
        if (!tend(feeds)) {
          output.stops();
          return;
        }
      }
      Ulid before = position.now();
      Due due = buffer.await(LOOK);
      boolean alive = System.nanoTime() - writtenNanos >= ALIVE_NANOS;
      if (alive) {
        output.alive();
      }
      write(due, before, buffer, output);
      if (alive || !due.isEmpty()) {
        output.flush();
        writtenNanos = System.nanoTime();
      }
    }
  }

  private boolean tend(TailFeeds feeds) {
    try {
      feeds.tend(clock.instant());
      return true;
    } catch (HttpError e) {
      return false; // This node answers no more: what it said is said to the reader.
    }
  }

  /**
   * Writes what is due once the client has received what was due before; the client would resume
   * from there.
   */
  private static void write(Due due, Ulid position, TailBuffer buffer, TailOutput output)
      throws IOException {
    for (Waiting each : due.batches()) {
      output.records(each.hits, each.group, position);
      buffer.written(each);
    }
    for (String notice : due.notices()) {
      output.notice(notice);
    }
    if (due.dropped() > 0) {
      output.dropped(due.dropped());
    }
  }

  /** Breaks off what is asked of other nodes. */
  @Override
  public void close() {
    dependencies.client().close();
  }
}
