package io.cordwood.ingest.loki;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.protobuf.ProtoReader;
import java.io.IOException;

/**
 * Reads a push as protocol buffers.
 *
 * <pre>
 *   push    1 streams
 *   stream  1 labels, as a text   2 entries
 *   entry   1 time                2 line      3 metadata, and 4 what was parsed
 *   time    1 seconds             2 nanoseconds
 *   pair    1 name                2 value
 * </pre>
 *
 * <p>For one request and thread.
 */
final class LokiProtobuf {
  private static final int NANOS = 1_000_000_000;

  private final byte[] body;
  private final EventOrigins origins;
  private final Events events;
  private final Beside beside = new Beside();

  LokiProtobuf(byte[] body, EventOrigins origins, Events events) {
    this.body = body;
    this.origins = origins;
    this.events = events;
  }

  void read() throws IOException, RefusedException {
    var push = new ProtoReader(body, 0, body.length);
    while (push.next()) {
      if (push.field() == 1) {
        push.load();
        stream(push.from(), push.to());
      }
    }
  }

  private void stream(int from, int to) throws IOException, RefusedException {
    EventOrigin origin = StreamLabels.origin(origins, LabelText.parse(labels(from, to)));
    var stream = new ProtoReader(body, from, to);
    while (stream.next()) {
      if (stream.field() == 2) {
        long outer = stream.enter();
        entry(origin, stream);
        stream.leave(outer);
      }
    }
  }

  /** They may as well come after the entries. */
  private byte[] labels(int from, int to) throws IOException {
    byte[] text = {};
    var stream = new ProtoReader(body, from, to);
    while (stream.next()) {
      if (stream.field() == 1) {
        text = stream.bytes();
      }
    }
    return text;
  }

  private void entry(EventOrigin origin, ProtoReader entry) throws IOException, RefusedException {
    beside.clear();
    EventTime time = EventTime.NONE;
    int from = 0;
    int to = 0;
    while (entry.next()) {
      switch (entry.field()) {
        case 1 -> time = time(entry);
        case 2 -> {
          entry.load();
          from = entry.from();
          to = entry.to();
        }
        case 3, 4 -> pair(entry);
        default -> {}
      }
    }
    events.add(origin, time, body, from, to, beside);
  }

  private static EventTime time(ProtoReader reader) throws IOException {
    long outer = reader.enter();
    long seconds = 0;
    int nanos = 0;
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> seconds = reader.varint();
        case 2 -> nanos = (int) reader.varint();
        default -> {}
      }
    }
    reader.leave(outer);
    return new EventTime(seconds + Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
  }

  private void pair(ProtoReader reader) throws IOException {
    long outer = reader.enter();
    String name = "";
    String value = "";
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> name = reader.text();
        case 2 -> value = reader.text();
        default -> {}
      }
    }
    reader.leave(outer);
    beside.attribute(name).string(value);
  }
}
