package io.cordwood.ingest.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.common.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a bulk request: one item for each action, in order.
 *
 * <pre>
 *   {"took":3,"errors":false,"items":[{"create":{"_index":"logs","status":201}},…]}
 * </pre>
 *
 * Compact and in that order, since some clients look for parts of it as text. Items wait packed
 * until it is known whether there are errors: like ones are counted, the rest is deflated. To be
 * closed; for one thread.
 */
final class BulkAnswer implements AutoCloseable {
  private static final int TAKEN = 201;
  private static final int REFUSED = 400;
  private static final int FORBIDDEN = 403;

  private final ByteArrayOutputStream packed = new ByteArrayOutputStream();
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
  private final DataOutputStream items =
      new DataOutputStream(new DeflaterOutputStream(packed, deflater));
  private @Nullable Action last;
  private String lastReason = "";
  private int lastStatus;
  private int runs;
  private int like;
  private boolean errors;

  /** The next action's document will be stored, if all is. */
  void taken(Action action) throws IOException {
    add(action, TAKEN, "");
  }

  /** It never will be. */
  void refused(Action action, String reason) throws IOException {
    errors = true;
    add(action, REFUSED, reason);
  }

  /** The token may not send it, while it may send others. */
  void forbidden(Action action, String reason) throws IOException {
    errors = true;
    add(action, FORBIDDEN, reason);
  }

  private void add(Action action, int status, String reason) throws IOException {
    if (!action.equals(last) || status != lastStatus || !reason.equals(lastReason)) {
      endRun();
      last = action;
      lastStatus = status;
      lastReason = reason;
    }
    like++;
  }

  private void endRun() throws IOException {
    Action action = last;
    if (action != null && like > 0) {
      byte[] item = item(action, lastStatus, lastReason).getBytes(UTF_8);
      items.writeInt(like);
      items.writeInt(item.length);
      items.write(item);
      runs++;
      like = 0;
    }
  }

  private static String item(Action action, int status, String reason) {
    return Json.object(json -> {
      json.writeObjectPropertyStart(action.verb().word());
      json.writeStringProperty("_index", action.index());
      if (action.id() != null) {
        json.writeStringProperty("_id", action.id());
      }
      json.writeNumberProperty("status", status);
      if (status != TAKEN) {
        String type = status == FORBIDDEN ? "security_exception" : "document_parsing_exception";
        json.writeObjectPropertyStart("error");
        json.writeStringProperty("type", type);
        json.writeStringProperty("reason", reason);
        json.writeEndObject();
      }
      json.writeEndObject();
    });
  }

  /** Writes it; no more can be added. */
  void writeTo(OutputStream out, long tookMillis) throws IOException {
    endRun();
    items.close();
    String head = "{\"took\":" + tookMillis + ",\"errors\":" + errors + ",\"items\":[";
    out.write(head.getBytes(UTF_8));
    try (var read =
        new DataInputStream(
            new InflaterInputStream(new ByteArrayInputStream(packed.toByteArray())))) {
      for (int run = 0; run < runs; run++) {
        int count = read.readInt();
        byte[] item = read.readNBytes(read.readInt());
        for (int i = 0; i < count; i++) {
          if (run > 0 || i > 0) {
            out.write(',');
          }
          out.write(item);
        }
      }
    }
    out.write("]}".getBytes(UTF_8));
  }

  @Override
  public void close() {
    deflater.end();
  }
}
