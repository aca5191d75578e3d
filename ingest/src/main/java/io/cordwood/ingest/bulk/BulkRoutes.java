package io.cordwood.ingest.bulk;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.unconsumed.SegmentRoutes;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Bulk mode over HTTP.
 *
 * <pre>
 *   POST /ingest/bulk?topic=NAME&amp;wait=30s   200 "committed segment=ID records=N bytes=B\n"
 *                    &amp;label.NAME=VALUE
 *   GET  /ingest/bulk?id=ID&amp;wait=30s        200 "committed segment=ID\n"
 * </pre>
 *
 * Both answer 504 when the segment is not on the stores in time: it is kept, and will be. That is
 * no success, so that nobody who looks at the status alone takes it for one. The second answers 404
 * when the segment is not known.
 */
public final class BulkRoutes {
  /** Why a sender learns before its time is up that its segment is not on the stores. */
  static final String CLOSING = "the node is being closed, and it is not on the stores yet";

  /** The longest that an answer waits, whatever the request asks for. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(10);

  private final Uploads uploads;
  private final Intake intake;

  public BulkRoutes(Uploads uploads, Intake intake) {
    this.uploads = uploads;
    this.intake = intake;
  }

  public void addTo(Routes routes) {
    // The upload itself refuses, and counts, what is too long.
    routes.post(
        ApiPaths.INGEST_BULK,
        Params.of(ApiParams.TOPIC, ApiParams.WAIT).andAll(ApiParams.LABEL_PREFIX),
        Long.MAX_VALUE,
        this::upload);
    routes.get(ApiPaths.INGEST_BULK, Params.of(ApiParams.ID, ApiParams.WAIT), this::await);
  }

  /** Answers an upload. */
  public void upload(Request request, Response response) throws IOException {
    checkThatBodyIsRecords(request);
    Duration wait = wait(request);
    Optional<Uploaded> uploaded = receive(request, response);
    if (uploaded.isEmpty()) {
      response.text(200, "committed records=0\n");
      return;
    }
    Uploaded it = uploaded.get();
    response.header("location", ApiPaths.INGEST_BULK + "?" + ApiParams.ID + "=" + it.segment());
    answer(it.segment(), " records=" + it.records() + " bytes=" + it.bytes(), wait, response);
  }

  /**
   * Refuses wrapped bodies: they would be kept as they are, and no search would find their records.
   */
  private static void checkThatBodyIsRecords(Request request) {
    String encoding = request.header("content-encoding").orElse("identity");
    if (!encoding.equalsIgnoreCase("identity")) {
      throw new HttpError(
          415, "content-encoding: expected none, found \"" + encoding + "\"; send it unpacked");
    }
    String type = request.header("content-type").orElse("");
    if (type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
      throw new HttpError(
          415,
          "content-type: expected records as the body, found \"%s\"; with curl: --data-binary @FILE"
              .formatted(type));
    }
  }

  private Optional<Uploaded> receive(Request request, Response response) {
    try {
      uploads.checkLength(request.contentLength());
      Origin origin = origin(request);
      var rights = new SenderRights(intake, request.address(), ApiPaths.INGEST_BULK);
      var source =
          new UploadSource(
              request.body(), response::clientGone, false, rights.of(request.caller()));
      return uploads.receive(source, origin);
    } catch (UploadRefusedException e) {
      throw new HttpError(e.reason().status(), String.valueOf(e.getMessage()));
    }
  }

  private void await(Request request, Response response) throws IOException {
    answer(SegmentRoutes.id(request.requiredParam(ApiParams.ID)), "", wait(request), response);
  }

  private void answer(Ulid segment, String figures, Duration wait, Response response)
      throws IOException {
    switch (uploads.await(segment, wait, response::clientGone)) {
      case COMMITTED -> response.text(200, "committed segment=" + segment + figures + "\n");
      case HERE -> throw new HttpError(504, late(wait) + kept(segment));
      case UNKNOWN ->
          throw new HttpError(
              404,
              "segment "
                  + segment
                  + ": unknown here; it never was, or was committed long ago or before a restart");
    }
  }

  /** Why the sender of a segment learns that it is not on the stores. */
  static String late(Duration wait) {
    return "not on the stores within " + text(wait);
  }

  /** The hint to the sender of a segment: it is not lost, and where to ask. */
  static String kept(Ulid segment) {
    return "; segment %s is kept and will be, GET %s?id=%s tells when"
        .formatted(segment, ApiPaths.INGEST_BULK, segment);
  }

  private static String text(Duration wait) {
    return wait.toMillis() % 1000 == 0 ? wait.toSeconds() + "s" : wait.toMillis() + "ms";
  }

  private Duration wait(Request request) {
    Duration wait = request.durationParam(ApiParams.WAIT).orElse(uploads.options().longestWait());
    return wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait;
  }

  private Origin origin(Request request) throws UploadRefusedException {
    try {
      return RequestOrigin.of(request, intake.options().topic());
    } catch (IllegalArgumentException e) {
      throw uploads.malformed(e);
    }
  }
}
