package io.cordwood.ingest.otlp;

import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.protobuf.ProtoReader;
import java.io.IOException;

/** The part of an instrumentation scope beside each of its records: the logger, mostly. */
final class Scope {
  private static final int ATTRIBUTES = 3;

  private Scope() {}

  /** Writes it. */
  static void write(byte[] message, int from, int to, Beside out) throws IOException {
    var in = new ProtoReader(message, from, to);
    String name = "";
    String version = "";
    long dropped = 0;
    var attributes = new Beside();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> name = in.text();
        case 2 -> version = in.text();
        case ATTRIBUTES -> AnyValue.pair(in, AnyValue::name, attributes);
        case 4 -> dropped = in.varint() & 0xffff_ffffL;
        default -> {}
      }
    }
    if (!name.isEmpty()) {
      out.add("logger", name);
    }
    if (!version.isEmpty()) {
      out.add("scope_version", version);
    }
    if (!attributes.isEmpty()) {
      out.name("scope_attributes").begin('{').addAll(attributes).end('}');
    }
    if (dropped != 0) {
      out.add("scope_dropped_attributes_count", dropped);
    }
  }
}
