package io.cordwood.query.tail;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.tail.StreamParams.Wanted;
import io.cordwood.query.tail.TailBuffer.Due;
import io.cordwood.query.tail.TailBuffer.Waiting;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * {@code GET /stream}: the records of all nodes as they are received, without an end; {@link
 * StreamParams} reads the parameters, {@link TailForm} writes the records.
 *
 * <pre>
 *   nodes that receive ──► TailFeed ──┐   a thread each
 *                      ──► TailFeed ──┼──► TailBuffer ──► TailForm ──► client
 *          history, once ─────────────┘    merges, bounds
 * </pre>
 *
 * Each node is followed before the history is searched, and each batch is given once; so between
 * the two there is neither a gap nor a double.
 */
public final class StreamApi implements AutoCloseable {
  /** Streams at once; each has a virtual thread, one more a node, and 1 MiB if it is slow. */
  static final int MAX_STREAMS = 1024;

  private static final Duration CONNECT = Duration.ofSeconds(2);

  /** A node that is followed says within that time that it is still there. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private static final int MAX_CATCH_UPS = 16;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final long TEND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final QueryParams params;
  private final QueryExecutor executor;
  private final TailFeeds.Dependencies dependencies;
  private final InstantSource clock;
  private final QueryGate gate;
  private final TailMemory memory;

  /**
   * @param clock whose moments tell what came before a stream began
   */
  public StreamApi(
      QueryParams params,
      LocalRecords records,
      QueryExecutor.Cluster cluster,
      QueryExecutor executor,
      InstantSource clock,
      MeterRegistry meters) {
    this.params = params;
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

  public void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.STREAM, StreamParams.ALL, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    Wanted wanted = StreamParams.wanted(request, params);
    gate.run(new ScanStats(), () -> stream(wanted, response));
  }

  private void stream(Wanted wanted, Response response) throws IOException {
    try (var buffer = new TailBuffer(wanted.window(), memory);
        var feeds = new TailFeeds(dependencies, wanted.query(), buffer, clock.instant())) {
      response.whenClientGone(() -> Thread.ofVirtual().start(buffer::end));
      feeds.start();
      boolean told = wanted.form().tellsPosition();
      var position = new TailPosition(feeds, buffer, wanted.lateWindow(), told);
      response.header("content-type", wanted.form().contentType());
      response.header("cache-control", "no-store").narrow();
      OutputStream out = response.body();
      out.flush();
      if (wanted.history().isPresent()) {
        new TailHistory(executor, wanted.form(), buffer, position, response)
            .give(wanted.history().get());
      }
      follow(wanted, buffer, feeds, position, response);
    } catch (InterruptedException e) {
      throw new QueryAbandonedException();
    }
  }

  private void follow(
      Wanted wanted, TailBuffer buffer, TailFeeds feeds, TailPosition position, Response response)
      throws IOException, InterruptedException {
    OutputStream out = response.body();
    long writtenNanos = System.nanoTime();
    long tendedNanos = writtenNanos - TEND_NANOS;
    while (!response.clientGone()) {
      if (System.nanoTime() - tendedNanos >= TEND_NANOS) {
        tendedNanos = System.nanoTime();
        if (!tend(feeds)) {
          wanted.form().notice("this node stops", out);
          return;
        }
      }
      Ulid before = position.now();
      Due due = buffer.await(LOOK);
      boolean alive = wanted.alive() && System.nanoTime() - writtenNanos >= ALIVE_NANOS;
      if (alive) {
        wanted.form().alive(out);
      }
      write(due, wanted.form(), before, buffer, out);
      if (alive || !due.isEmpty()) {
        out.flush();
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
  private static void write(
      Due due, TailForm form, Ulid position, TailBuffer buffer, OutputStream out)
      throws IOException {
    for (Waiting each : due.batches()) {
      form.records(each.hits, each.group, position, out);
      buffer.written(each);
    }
    for (String notice : due.notices()) {
      form.notice(notice, out);
    }
    if (due.dropped() > 0) {
      form.notice(
          due.dropped() + " records were dropped, since this stream is read too slowly", out);
    }
  }

  /** Breaks off what is asked of other nodes. */
  @Override
  public void close() {
    dependencies.client().close();
  }
}
