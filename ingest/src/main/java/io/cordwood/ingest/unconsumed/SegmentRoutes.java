package io.cordwood.ingest.unconsumed;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.segment.Claimant;
import io.cordwood.ingest.segment.PendingSegment;
import io.cordwood.ingest.segment.QuarantinedSegment;
import io.cordwood.ingest.segment.SegmentLeases;
import io.cordwood.ingest.segment.SegmentRefusedException;
import io.cordwood.ingest.segment.SegmentRefusedException.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The segment API, by which stores pull.
 *
 * <pre>
 *   POST /ingest/claim?wait=10s&amp;max=8&amp;max_bytes=N&amp;node=ID   200 "ID BYTES\n" for each; 204: none in time
 *   GET  /ingest/read?id=ID                         200 the file's bytes; 206 the range asked for
 *   POST /ingest/commit?id=ID&amp;id=ID                 200 "ID committed\n" for each
 *   POST /ingest/fail?id=ID&amp;id=ID                   200 "ID flushed\n" for each
 *   GET  /quarantine                                200 "ID BYTES\n" for each
 *   POST /quarantine/release?id=ID&amp;id=ID            200 "ID flushed\n" for each
 * </pre>
 *
 * All with an id answer 404 if the segment is unknown, 409 if it is not claimed. Of several
 * segments, each is committed, or given back, that can be; if one cannot, the answer is 409, and
 * each one's line says {@code unknown} or {@code unclaimed} where that is so. Without {@code max},
 * a claim is for one segment. Without {@code labels=true} it is for segments whose batches have no
 * labels: earlier versions of stores do not know them. A claim's header {@code
 * cordwood-lease-millis} is the time after which the first of its segments is handed out again.
 * With {@code unstorable=true} a store says that each of the segments that it gives back is one
 * that it cannot store by itself; those that no store can are quarantined. The last two are for
 * administrators.
 */
public final class SegmentRoutes {
  /** The longest that a claim waits, whatever it asks for. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  /** The most segments in one claim, whatever it asks for, and in one commit. */
  private static final int MAX_SEGMENTS = 128;

  private static final int MAX_NAME = 64;

  private final SegmentLeases segments;

  public SegmentRoutes(SegmentLeases segments) {
    this.segments = segments;
  }

  public void addTo(Routes routes) {
    routes.post(ApiPaths.INGEST_CLAIM, Params.ANY, 0, this::claim);
    routes.get(ApiPaths.INGEST_READ, Params.ANY, this::read);
    routes.post(
        ApiPaths.INGEST_COMMIT,
        Params.ANY,
        0,
        (request, response) -> settle(request, response, segments::commit, "committed"));
    routes.post(
        ApiPaths.INGEST_FAIL,
        Params.ANY,
        0,
        (request, response) ->
            settle(
                request,
                response,
                request.flag(ApiParams.UNSTORABLE) ? segments::failUnstorable : segments::fail,
                "flushed"));
    routes.get(ApiPaths.QUARANTINE, Params.NONE, this::list);
    routes.post(
        ApiPaths.QUARANTINE_RELEASE,
        Params.of(ApiParams.ID),
        0,
        (request, response) -> settle(request, response, segments::release, "flushed"));
  }

  private void claim(Request request, Response response) throws IOException {
    Duration wait = request.durationParam(ApiParams.WAIT).orElse(Duration.ZERO);
    Duration longest = wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
    int max = Math.clamp(request.intParam(ApiParams.MAX).orElse(1), 1, MAX_SEGMENTS);
    long maxBytes = request.longParam(ApiParams.MAX_BYTES).orElse(Long.MAX_VALUE);
    String name = request.param(ApiParams.NODE).map(SegmentRoutes::name).orElse("a store");
    var store = new Claimant(name, request.flag(ApiParams.LABELS));
    List<PendingSegment> claimed =
        segments.claim(store, max, maxBytes, longest, response::clientGone);
    if (claimed.isEmpty()) {
      response.status(204);
      return;
    }
    var lines = new StringBuilder();
    for (PendingSegment segment : claimed) {
      lines.append(segment.id()).append(' ').append(segment.bytes()).append('\n');
    }
    response.header(ApiHeaders.LEASE_MILLIS, Long.toString(leaseMillis(claimed)));
    response.text(200, lines.toString());
  }

  private static String name(String node) {
    return node.substring(0, Math.min(node.length(), MAX_NAME)).replaceAll("[^ -~]", "?");
  }

  private void list(Request request, Response response) throws IOException {
    var lines = new StringBuilder();
    for (QuarantinedSegment segment : segments.quarantined()) {
      lines.append(segment.id()).append(' ').append(segment.bytes()).append('\n');
    }
    response.text(200, lines.toString());
  }

  /** The shortest lease among them. */
  private static long leaseMillis(List<PendingSegment> claimed) {
    long now = System.nanoTime();
    long nanos = claimed.stream().mapToLong(s -> s.leaseEndNanos() - now).min().orElse(0);
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private void read(Request request, Response response) throws IOException {
    try (ReadableFile file = segments.read(id(request.requiredParam(ApiParams.ID)))) {
      long size = file.size();
      ByteRange range = ByteRange.of(request.header("range").orElse(""), size);
      response.header("content-type", "application/octet-stream").header("accept-ranges", "bytes");
      if (range.isEmpty()) {
        response.header("content-range", "bytes */" + size);
        throw new HttpError(416, "range: expected one within " + size + " bytes");
      }
      if (range.bytes() < size) {
        response.status(206).header("content-range", range.contentRange(size));
      }
      response.contentLength(range.bytes()).sendFile(file.channel(), range.from(), range.bytes());
    } catch (SegmentRefusedException e) {
      throw refusal(e);
    }
  }

  /** The call that ends a claim. */
  private interface Settlement {
    void settle(Ulid id) throws IOException, SegmentRefusedException;
  }

  private static void settle(Request request, Response response, Settlement settlement, String done)
      throws IOException {
    List<Ulid> ids = ids(request);
    var lines = new StringBuilder();
    boolean all = true;
    for (Ulid id : ids) {
      String outcome = done;
      try {
        settlement.settle(id);
      } catch (SegmentRefusedException e) {
        if (ids.size() == 1) {
          throw refusal(e);
        }
        outcome = e.reason() == Reason.UNKNOWN ? "unknown" : "unclaimed";
        all = false;
      }
      lines.append(id).append(' ').append(outcome).append('\n');
    }
    response.text(all ? 200 : 409, lines.toString());
  }

  private static List<Ulid> ids(Request request) {
    List<String> ids = request.params(ApiParams.ID);
    if (ids.isEmpty() || ids.size() > MAX_SEGMENTS) {
      throw new HttpError(
          400, "parameter id: expected 1 to " + MAX_SEGMENTS + " of them, found " + ids.size());
    }
    return ids.stream().map(SegmentRoutes::id).toList();
  }

  public static Ulid id(String text) {
    return Request.checked("id", () -> Ulid.parse(text));
  }

  private static HttpError refusal(SegmentRefusedException e) {
    int status =
        switch (e.reason()) {
          case UNKNOWN -> 404;
          case NOT_CLAIMED -> 409;
        };
    return new HttpError(status, String.valueOf(e.getMessage()));
  }
}
