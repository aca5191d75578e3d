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
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.bulk.BulkRoutes;
import io.cordwood.ingest.bulk.RequestOrigin;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.sender.ForeignStart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

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

  private final PushPorts ports;
  private final BulkRoutes bulk;
  private final PushMetrics metrics;

  public PushRoutes(PushPorts ports, BulkRoutes bulk) {
    this.ports = ports;
    this.bulk = bulk;
    this.metrics = new PushMetrics(ports.intake().metrics().registry, "lines");
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
      case "fast" -> answer(Mode.FAST, request, response);
      case "durable" -> answer(Mode.DURABLE, request, response);
      case "bulk" -> bulk.upload(request, response);
      default ->
          throw new HttpError(
              400, "parameter durability: expected fast, durable or bulk, found " + mode);
    }
  }

  private void answer(Mode mode, Request request, Response response) throws IOException {
    String figures = take(mode, request, response);
    response.text(200, "stored " + figures + "\n");
  }

  /** Counts the request; who is answered afterwards finds it counted. */
  private String take(Mode mode, Request request, Response response) throws IOException {
    boolean stored = false;
    try {
      Origin origin = origin(request);
      String figures =
          ports.receive(request, response, mode, (body, session) -> read(origin, body, session));
      stored = true;
      return figures;
    } catch (RefusedException e) {
      throw PushPorts.error(e);
    } finally {
      metrics.ended(stored);
    }
  }

  private static String read(Origin origin, InputStream body, PushSession session)
      throws IOException, RefusedException {
    var lines = new PushedLines(session.records(), origin);
    byte[] start = body.readNBytes(Preamble.MAX_BYTES);
    refuseForeign(start);
    lines.take(start, 0, start.length);
    long bytes = start.length;
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
      lines.take(buffer, 0, count);
      bytes += count;
    }
    lines.end();
    return "records=" + session.records().records() + " bytes=" + bytes;
  }

  private Origin origin(Request request) {
    try {
      return RequestOrigin.of(request, ports.intake().options().topic());
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, String.valueOf(e.getMessage()));
    }
  }

  private static void refuseForeign(byte[] start) throws RefusedException {
    if (start.length >= Integer.BYTES && ByteBuffer.wrap(start).getInt() == BatchHeader.MAGIC) {
      throw new HttpError(
          400, "body: expected lines, found batches; " + ApiPaths.INGEST_BULK + " takes them");
    }
    try {
      if (Opening.look(start, true) instanceof Opening.Begun) {
        throw new HttpError(
            400, "body: expected lines, found a preamble; topic and labels are parameters here");
      }
    } catch (BadPreambleException e) {
      throw new HttpError(400, "body: " + e.getMessage());
    }
    var _ = ForeignStart.isPlain(ForeignStart.of(start, 0, start.length), true);
  }
}
