package io.cordwood.ingest;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.HttpError;
import io.cordwood.common.http.Request;
import io.cordwood.common.http.Response;
import io.cordwood.common.http.Routes;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The segment API, by which stores pull.
 *
 * <pre>
 *   POST /ingest/claim?wait=10s   200 "ID BYTES\n"; 204 if there was none in time
 *   GET  /ingest/read?id=ID       200 the file's bytes
 *   POST /ingest/commit?id=ID     200
 *   POST /ingest/fail?id=ID       200
 * </pre>
 *
 * The last three answer 404 if the segment is unknown, 409 if it is not claimed.
 */
final class SegmentRoutes {
  /** The longest that a claim waits, whatever it asks for. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  private final IngestLog segments;

  SegmentRoutes(IngestLog segments) {
    this.segments = segments;
  }

  void addTo(Routes routes) {
    routes.post(ApiPaths.INGEST_CLAIM, 0, this::claim);
    routes.get(ApiPaths.INGEST_READ, this::read);
    routes.post(ApiPaths.INGEST_COMMIT, 0, this::commit);
    routes.post(ApiPaths.INGEST_FAIL, 0, this::fail);
  }

  private void claim(Request request, Response response) throws IOException {
    Duration wait = request.durationParam(ApiParams.WAIT).orElse(Duration.ZERO);
    Duration longest = wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
    Optional<PendingSegment> claimed = segments.claim(longest, response::clientGone);
    if (claimed.isEmpty()) {
      response.status(204);
      return;
    }
    PendingSegment segment = claimed.get();
    response.text(200, segment.id() + " " + segment.bytes() + "\n");
  }

  private void read(Request request, Response response) throws IOException {
    try (ReadableFile file = segments.read(id(request))) {
      response
          .header("content-type", "application/octet-stream")
          .contentLength(file.size())
          .sendFile(file.channel(), 0, file.size());
    } catch (SegmentRefusedException e) {
      throw refusal(e);
    }
  }

  private void commit(Request request, Response response) throws IOException {
    try {
      segments.commit(id(request));
      response.text(200, "committed\n");
    } catch (SegmentRefusedException e) {
      throw refusal(e);
    }
  }

  private void fail(Request request, Response response) throws IOException {
    try {
      segments.fail(id(request));
      response.text(200, "flushed again\n");
    } catch (SegmentRefusedException e) {
      throw refusal(e);
    }
  }

  private static Ulid id(Request request) {
    try {
      return Ulid.parse(request.requiredParam(ApiParams.ID));
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "parameter id: " + e.getMessage());
    }
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
