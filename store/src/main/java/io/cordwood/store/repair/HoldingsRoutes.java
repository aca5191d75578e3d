package io.cordwood.store.repair;

import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.KnownParts;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchListWriter;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The routes by which a store tells other stores what it holds, and sends it to them.
 *
 * <pre>
 *   GET /store/slices?known=                           {@link SliceTableText}
 *   GET /store/batches?from_ulid=&amp;to_ulid=             {@link BatchListWriter}: first ULIDs in a closed range
 *   POST /store/hint?from_ulid=&amp;to_ulid=            a query saw too few copies in this range; 202
 *   GET /store/fetch?topic=&amp;from_ulid=&amp;to_ulid=        a store segment of such batches; 204 for none
 * </pre>
 *
 * <p>The three {@code GET}s may say whom they are meant for, {@code to_node=ID}, and are refused by
 * any other with 421.
 *
 * <p>Lists and fetches are of batches without labels, unless {@code labels=true} says that who asks
 * knows them: to stores of earlier versions they are damage.
 *
 * <p>At most {@link #MAX_LISTS} lists and {@link #MAX_FETCHES} fetches are answered at once; more
 * wait for a while and are answered 503.
 */
final class HoldingsRoutes {
  static final int MAX_LISTS = 32;
  static final int MAX_FETCHES = 2;

  /** Most payload bytes of a fetch; beyond it the range has to be cut. */
  static final long MAX_FETCH_BYTES = 256L << 20;

  private static final long TURN_SECONDS = 5;
  private static final Duration LONGEST_UPDATE = Duration.ofSeconds(3);

  private final String nodeId;
  private final OwnSlices own;
  private final HintedSlices hinted;
  private final Supplier<Instant> settled;
  private final Semaphore lists = new Semaphore(MAX_LISTS);
  private final Semaphore fetches = new Semaphore(MAX_FETCHES);

  /**
   * @param nodeId of this store
   * @param settled the time before which records are old enough to be compared
   */
  HoldingsRoutes(String nodeId, OwnSlices own, HintedSlices hinted, Supplier<Instant> settled) {
    this.nodeId = nodeId;
    this.own = own;
    this.hinted = hinted;
    this.settled = settled;
  }

  void addTo(Routes routes) {
    routes.get(
        ApiPaths.STORE_SLICES,
        Params.ANY,
        (request, response) -> {
          refuseIfMeantForAnother(request);
          slices(known(request), response);
        });
    routes.post(
        ApiPaths.STORE_HINT,
        Params.ANY,
        0,
        (request, response) -> {
          hinted.add(range(request));
          response.text(202, "taken\n");
        });
    routes.get(
        ApiPaths.STORE_BATCHES,
        Params.ANY,
        (request, response) -> {
          refuseIfMeantForAnother(request);
          var selection = BatchSelection.in(range(request));
          boolean labels = request.flag(ApiParams.LABELS);
          inTurn(lists, selection, held -> list(held, selection, labels, response));
        });
    routes.get(
        ApiPaths.STORE_FETCH,
        Params.ANY,
        (request, response) -> {
          refuseIfMeantForAnother(request);
          var selection = new BatchSelection(topic(request), range(request));
          boolean labels = request.flag(ApiParams.LABELS);
          inTurn(fetches, selection, held -> fetch(held, selection, labels, response));
        });
  }

  private void refuseIfMeantForAnother(Request request) {
    request
        .misdirected(nodeId)
        .ifPresent(meant -> {
          throw new HttpError(421, meant);
        });
  }

  /** Takes in what has come since the last time, such as late records, if that is soon done. */
  private void slices(Optional<KnownParts> known, Response response) throws IOException {
    own.fingerprints().update(settled.get(), LONGEST_UPDATE);
    SliceTable table = own.table();
    if (!table.copies()) {
      response.header(ApiHeaders.COPIES, ApiHeaders.NO_COPIES);
    }
    response.text(200, SliceTableText.of(table, known));
  }

  private void inTurn(Semaphore turns, BatchSelection selection, OwnSlices.Work answer)
      throws IOException {
    if (!acquire(turns)) {
      throw new HttpError(503, "too many stores ask at once, try again");
    }
    try {
      own.with(selection.range(), answer);
    } finally {
      turns.release();
    }
  }

  private static boolean acquire(Semaphore turns) throws IOException {
    try {
      return turns.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IOException("interrupted while waiting for a turn", e);
    }
  }

  private static UlidRange range(Request request) {
    Ulid from = ulid(request, ApiParams.FROM_ULID);
    Ulid to = ulid(request, ApiParams.TO_ULID);
    if (to.isBefore(from)) {
      throw new HttpError(400, "parameter to_ulid: expected one after from_ulid, found " + to);
    }
    return new UlidRange(from, to);
  }

  private static Ulid ulid(Request request, String name) {
    String text = request.requiredParam(name);
    if (!Ulid.isValid(text)) {
      throw new HttpError(400, "parameter " + name + ": expected a ULID, found \"" + text + "\"");
    }
    return Ulid.parse(text);
  }

  private static Optional<KnownParts> known(Request request) {
    return Request.checked("known", () -> request.param(ApiParams.KNOWN).map(KnownParts::parse));
  }

  private static Optional<Topic> topic(Request request) {
    return Request.checked("topic", () -> request.param(ApiParams.TOPIC).map(Topic::new));
  }

  private void list(
      List<LiveSegment> held, BatchSelection selection, boolean labels, Response response)
      throws IOException {
    var writer = new BatchListWriter(response.body(), labels);
    selection.list(
        held,
        batch -> {
          if (labels || batch.labelsIdentity() == 0) {
            writer.add(batch);
          }
        });
    writer.finish();
    response.body().close();
  }

  private void fetch(
      List<LiveSegment> held, BatchSelection selection, boolean labels, Response response)
      throws IOException {
    try (SegmentBuilder active = own.log().newActive()) {
      selection.run(
          held,
          _ -> true,
          batch -> {
            if (labels || batch.labels().isEmpty()) {
              append(active, batch);
            }
          });
      if (active.payloadBytes() == 0) {
        response.text(204, "");
      } else {
        try (TransferSegment segment = TransferSegment.of(own.log(), active.flush())) {
          segment.sendTo(response);
        }
      }
    }
  }

  private static void append(SegmentBuilder active, Batch batch) throws IOException {
    if (active.payloadBytes() >= MAX_FETCH_BYTES || active.isFull()) {
      throw new HttpError(
          413, "expected a range of at most %d bytes, found more".formatted(MAX_FETCH_BYTES));
    }
    active.append(batch);
  }
}
