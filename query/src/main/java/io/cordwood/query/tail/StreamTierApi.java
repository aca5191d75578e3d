package io.cordwood.query.tail;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.ArrivalSource.Arrived;
import io.cordwood.common.segment.ArrivalSource.Follower;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.TierParams;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.wire.AnswerFrame;
import io.cordwood.query.wire.AnswerWriter;
import io.cordwood.query.wire.TierQuestion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /stream/tier}: what this node receives, for a node that merges; {@link TierParams}
 * reads the parameters, {@link AnswerFrame} draws the answer. Asks no other node. A client that
 * reads too slowly misses records, and is told how many; nothing waits for it.
 */
public final class StreamTierApi {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final long TEND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final Logger LOG = LoggerFactory.getLogger(StreamTierApi.class);

  private final String nodeId;
  private final LocalRecords records;
  private final Supplier<ClusterNodes> nodes;
  private final QueryParams params;
  private final QueryGate gate;

  /**
   * @param nodes refuses when this node stops
   */
  public StreamTierApi(
      String nodeId,
      LocalRecords records,
      Supplier<ClusterNodes> nodes,
      QueryParams params,
      QueryGate gate) {
    this.nodeId = nodeId;
    this.records = records;
    this.nodes = nodes;
    this.params = params;
    this.gate = gate;
  }

  public void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.STREAM_TIER, Params.ANY, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    TierQuestion question = TierParams.of(request, params);
    question.refuseIfMeantForAnother(nodeId);
    ArrivalSource arrivals =
        records
            .unconsumed()
            .flatMap(SegmentSource::arrivals)
            .orElseThrow(() -> new HttpError(404, "this node receives no records"));
    gate.run(new ScanStats(), () -> follow(question, arrivals, response));
  }

  private void follow(TierQuestion question, ArrivalSource arrivals, Response response)
      throws IOException {
    try (Follower follower = arrivals.follow()) {
      // Not before: what opens files must not be interrupted.
      response.whenClientGone(Thread.currentThread()::interrupt);
      response.header("content-type", "application/octet-stream");
      var writer = new AnswerWriter(response.body(), question.query().detail(), question.labels());
      writer.head(Optional.empty(), List.of());
      long tendedNanos = System.nanoTime();
      boolean ends = false;
      while (!ends && !response.clientGone()) {
        Optional<Arrived> arrived = next(follower);
        if (arrived.isPresent()) {
          write(arrived.get(), question.query(), writer);
        }
        boolean due = System.nanoTime() - tendedNanos >= TEND_NANOS;
        tendedNanos = due ? System.nanoTime() : tendedNanos;
        ends = arrived.isEmpty() || (due && stops());
      }
      writer.end(new ScanStats().snapshot());
    } catch (InterruptedException e) {
      throw new QueryAbandonedException();
    }
  }

  /** Empty if there will be nothing more. */
  private static Optional<Arrived> next(Follower follower) throws InterruptedException {
    try {
      return Optional.of(follower.await(LOOK));
    } catch (IOException e) {
      LOG.debug("a stream ends", e);
      return Optional.empty();
    }
  }

  private boolean stops() {
    try {
      var _ = nodes.get();
      return false;
    } catch (HttpError e) {
      return true;
    }
  }

  private static void write(Arrived arrived, Query query, AnswerWriter writer) throws IOException {
    if (arrived.missed() > 0) {
      writer.missed(arrived.missed());
    }
    for (Block block : arrived.blocks()) {
      TailFeed.<IOException>search(query, block, writer::accept);
    }
    if (!arrived.blocks().isEmpty()) {
      writer.flush();
    }
    writer.stillSearching();
  }
}
