package io.cordwood.ingest.otlp;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.protobuf.ProtoReader;
import io.cordwood.ingest.push.PushPorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of the log records of one request, as their messages come. A record that comes
 * before its resource or its scope waits for it. For one thread.
 *
 * <pre>
 *   resource ──► EventOrigin ─┐
 *   scope    ──► Beside ──────┼──► Events
 *   record   ──► LogRecord ───┘
 * </pre>
 */
final class LogEvents {
  /** Longest log record, and the most bytes that wait for what should come before them. */
  static final int MAX_BYTES = 16 << 20;

  /** Longest resource and longest scope: what cannot be a label stands beside each record. */
  static final int MAX_SENDER_BYTES = 256 << 10;

  /** A record without a byte takes as much on the heap, while it waits. */
  private static final int WAITING_BYTES = 64;

  private static final int ATTRIBUTES = 1;
  private static final int DROPPED = 2;

  private final EventOrigins origins;
  private final Events events;
  private final Rejected rejected;
  private final LogRecord record = new LogRecord();
  private final Beside beside = new Beside();
  private final List<Waiting> waiting = new ArrayList<>();
  private int waitingBytes;
  private @Nullable EventOrigin origin;
  private Beside scope = new Beside();
  private boolean scopeCame;

  LogEvents(EventOrigins origins, Events events, Rejected rejected) {
    this.origins = origins;
    this.events = events;
    this.rejected = rejected;
    events.whenForbidden(
        why -> rejected.reject(PushPorts.status(why), String.valueOf(why.getMessage())));
  }

  /** A record whose scope may come yet. */
  private record Waiting(Beside scope, byte[] message) {}

  /** The resource of the records up to {@link #endResource} comes. */
  void resource(byte[] message, int from, int to) throws IOException, RefusedException {
    if (origin != null) {
      throw new HttpError(400, "resourceLogs: expected one resource, found another");
    }
    checkLength("resource", to - from);
    origin = origins.of(labels(message, from, to));
    addWaiting();
  }

  private static void checkLength(String what, int bytes) {
    if (bytes > MAX_SENDER_BYTES) {
      throw new HttpError(
          413, "%s: expected at most %d bytes, found %d".formatted(what, MAX_SENDER_BYTES, bytes));
    }
  }

  private Map<String, String> labels(byte[] message, int from, int to) throws IOException {
    var labels = new LinkedHashMap<String, String>();
    var in = new ProtoReader(message, from, to);
    while (in.next()) {
      if (in.field() == ATTRIBUTES) {
        label(in, labels);
      } else if (in.field() == DROPPED) {
        long count = in.varint() & 0xffff_ffffL;
        if (count > 0) {
          put("resource_dropped_attributes_count", Long.toString(count), labels);
        }
      }
    }
    return labels;
  }

  private void label(ProtoReader in, Map<String, String> labels) throws IOException {
    String name = "";
    String value = "";
    long outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> name = in.text();
        case 2 -> value = text(in);
        default -> {}
      }
    }
    in.leave(outer);
    put(name, value, labels);
  }

  private static void put(String name, String value, Map<String, String> labels) {
    if (labels.putIfAbsent(name, value) != null) {
      labels.put("resource." + name, value);
    }
  }

  /** A text is itself, all else is JSON. */
  private String text(ProtoReader pair) throws IOException {
    pair.load();
    ProtoReader in = pair.nested();
    if (in.next() && in.field() == AnyValue.TEXT) {
      return in.text();
    }
    AnyValue.writeAll(pair.nested(), beside.clear());
    return new String(beside.value(), StandardCharsets.UTF_8);
  }

  void endResource() throws IOException, RefusedException {
    if (origin == null) {
      origin = origins.of(Map.of());
    }
    addWaiting();
    origin = null;
  }

  void beginScope() {
    scope = new Beside();
    scopeCame = false;
  }

  /** The scope of the records up to {@link #endScope} comes. */
  void scope(byte[] message, int from, int to) throws IOException, RefusedException {
    if (scopeCame) {
      throw new HttpError(400, "scopeLogs: expected one scope, found another");
    }
    checkLength("scope", to - from);
    if (!Scope.write(message, from, to, scope)) {
      origins.leftOut();
    }
    scopeCame = true;
    addWaiting();
  }

  void endScope() throws IOException, RefusedException {
    scopeCame = true;
    addWaiting();
  }

  /** A log record comes. */
  void record(byte[] message, int from, int to) throws IOException, RefusedException {
    rejected.came();
    EventOrigin sender = origin;
    if (sender != null && scopeCame) {
      add(sender, scope, message, from, to);
      return;
    }
    waitingBytes += WAITING_BYTES + to - from;
    if (waitingBytes > MAX_BYTES) {
      throw new HttpError(
          413,
          "resourceLogs: expected resource and scope before %d bytes of their log records, found %s"
              .formatted(MAX_BYTES, sender == null ? "no resource" : "no scope"));
    }
    waiting.add(new Waiting(scope, Arrays.copyOfRange(message, from, to)));
  }

  private void addWaiting() throws IOException, RefusedException {
    EventOrigin from = origin;
    if (from == null || waiting.isEmpty()) {
      return;
    }
    for (Waiting each : waiting) {
      add(from, each.scope, each.message, 0, each.message.length);
    }
    waiting.clear();
    waitingBytes = 0;
  }

  private void add(EventOrigin from, Beside ofScope, byte[] message, int start, int end)
      throws IOException, RefusedException {
    record.read(message, start, end);
    record.writeBeside(ofScope, beside.clear());
    events.add(from, record.time(), record.text(), record.textFrom(), record.textTo(), beside);
  }

  /** A log record comes that is longer than {@link #MAX_BYTES}. */
  void tooLong() {
    rejected.came();
    rejected.reject(413, "log record: expected at most %d bytes, found more".formatted(MAX_BYTES));
  }
}
