package io.cordwood.ingest.otlp;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.protobuf.ProtoReader;
import java.io.IOException;
import java.io.InputStream;

/** Reads a request in protobuf, of which only one log record is in memory at a time. */
final class ProtobufRequest {
  private final ProtoReader in;
  private final LogEvents events;

  private ProtobufRequest(InputStream body, LogEvents events) {
    this.in = new ProtoReader(body, LogEvents.MAX_BYTES);
    this.events = events;
  }

  static void read(InputStream body, LogEvents events) throws IOException, RefusedException {
    new ProtobufRequest(body, events).request();
  }

  private void request() throws IOException, RefusedException {
    while (in.next()) {
      if (in.field() == 1) {
        resourceLogs();
      }
    }
  }

  private void resourceLogs() throws IOException, RefusedException {
    long outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> {
          in.load();
          events.resource(in.buffer(), in.from(), in.to());
        }
        case 2 -> scopeLogs();
        default -> {}
      }
    }
    in.leave(outer);
    events.endResource();
  }

  private void scopeLogs() throws IOException, RefusedException {
    events.beginScope();
    long outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> {
          in.load();
          events.scope(in.buffer(), in.from(), in.to());
        }
        case 2 -> record();
        default -> {}
      }
    }
    in.leave(outer);
    events.endScope();
  }

  private void record() throws IOException, RefusedException {
    if (in.loadIfShort()) {
      events.record(in.buffer(), in.from(), in.to());
    } else {
      events.tooLong();
    }
  }
}
