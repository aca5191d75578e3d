package io.cordwood.ingest.push;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.wire.BadPreambleException;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Opening;
import io.cordwood.common.wire.Origin;
import io.cordwood.common.wire.Preamble;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.ReadPace;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.bulk.BulkRoutes;
import io.cordwood.ingest.bulk.RequestOrigin;
import io.cordwood.ingest.mode.RequestWriter;
import io.cordwood.ingest.sender.ForeignStart;
import io.cordwood.ingest.sender.SenderListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lines over HTTP, in whatever mode.
 *
 * <pre>
 *   POST /ingest?topic=NAME&amp;label.NAME=VALUE
 *       &amp;durability=durable   200 "stored records=N bytes=B\n"
 *                  fast      the same
 *                  bulk      as {@link BulkRoutes} has it
 * </pre>
 *
 * Each line of the body is a record, whatever its type is said to be. What cannot be taken now is
 * answered 503 with {@code retry-after}, before any of the body was taken if that is known then.
 */
public final class PushRoutes {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int RETRY_SECONDS = 5;

  /** A client that leaves during a pause is noticed in that time. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Intake intake;
  private final SenderListener fast;
  private final SenderListener durable;
  private final BulkRoutes bulk;
  private final PushMetrics metrics;

  public PushRoutes(Intake intake, SenderListener fast, SenderListener durable, BulkRoutes bulk) {
    this.intake = intake;
    this.fast = fast;
    this.durable = durable;
    this.bulk = bulk;
    this.metrics = new PushMetrics(intake.metrics().registry, "lines");
  }

  public void addTo(Routes routes) {
    routes.post(
        ApiPaths.INGEST,
        Params.of(ApiParams.TOPIC, ApiParams.DURABILITY, ApiParams.WAIT)
            .andAll(ApiParams.LABEL_PREFIX),
        Long.MAX_VALUE,
        this::push);
  }

  private void push(Request request, Response response) throws IOException {
    String mode = request.param(ApiParams.DURABILITY).orElse("durable");
    switch (mode) {
      case "fast" -> answer(fast, request, response);
      case "durable" -> answer(durable, request, response);
      case "bulk" -> bulk.upload(request, response);
      default ->
          throw new HttpError(
              400, "parameter durability: expected fast, durable or bulk, found " + mode);
    }
  }

  private void answer(SenderListener port, Request request, Response response) throws IOException {
    boolean stored = false;
    try {
      String figures = receive(port, request, response);
      stored = true;
      response.text(200, "stored " + figures + "\n");
    } catch (RefusedException e) {
      throw error(e);
    } finally {
      metrics.ended(stored);
    }
  }

  private String receive(SenderListener port, Request request, Response response)
      throws IOException, RefusedException {
    Origin origin = origin(request);
    Duration longest =
        request.durationParam(ApiParams.WAIT).orElse(intake.options().bulk().longestWait());
    var rights =
        new SenderRights(
                intake.admission(), request.address(), ApiPaths.INGEST, intake.metrics().registry)
            .of(request.caller());
    try (RequestWriter writer = port.openRequest();
        var records = new PushedRecords(intake, rights, writer, longest);
        PushedBody body = PushedBody.of(request, intake.options().bulk().maxBytes())) {
      long bytes = 0;
      var pace = new ReadPace(intake, rights);
      var lines = new PushedLines(records, origin);
      byte[] buffer = new byte[BUFFER_BYTES];
      int count = body.readFirst(buffer, Preamble.MAX_BYTES);
      refuseForeign(buffer, count);
      for (; count >= 0; count = body.read(buffer, 0)) {
        records.read(count);
        long pause = pace.nanosToPause(count);
        if (pause > 0) {
          pace.countPause();
          pause(pause, response);
        }
        lines.take(buffer, 0, count);
        bytes += count;
      }
      lines.end();
      records.finish();
      return "records=" + records.records() + " bytes=" + bytes;
    }
  }

  private static void pause(long nanos, Response response) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !response.clientGone(); left = end - System.nanoTime()) {
      LockSupport.parkNanos(response, Math.min(left, LOOK_NANOS));
    }
  }

  private Origin origin(Request request) {
    try {
      return RequestOrigin.of(request, intake.options().topic());
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, String.valueOf(e.getMessage()));
    }
  }

  private static void refuseForeign(byte[] bytes, int count) throws RefusedException {
    byte[] start = Arrays.copyOf(bytes, count);
    if (count >= Integer.BYTES && ByteBuffer.wrap(start).getInt() == BatchHeader.MAGIC) {
      throw new HttpError(
          400, "body: expected lines, found batches; " + ApiPaths.INGEST_BULK + " takes them");
    }
    try {
      if (Preamble.look(start, true) instanceof Opening.Begun) {
        throw new HttpError(
            400, "body: expected lines, found a preamble; topic and labels are parameters here");
      }
    } catch (BadPreambleException e) {
      throw new HttpError(400, "body: " + e.getMessage());
    }
    var _ =
        ForeignStart.isPlain(Arrays.copyOf(start, Math.min(count, ForeignStart.MAX_BYTES)), true);
  }

  private static HttpError error(RefusedException why) {
    String message = String.valueOf(why.getMessage());
    return switch (why.reason()) {
      case DISK, CLOSED, MEMORY -> HttpError.busy(message, RETRY_SECONDS);
      case TOKEN, TOPICS -> new HttpError(403, message);
      default -> new HttpError(400, message);
    };
  }
}
