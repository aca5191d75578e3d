package io.cordwood.ingest.otlp;

import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.protobuf.ProtoReader;
import java.io.IOException;

/** The part of an instrumentation scope beside each of its records: the logger, mostly. */
final class Scope {
  private static final int ATTRIBUTES = 3;

  private Scope() {}

  /** Writes it; whether all of it, as attributes that are too long are left out. */
  static boolean write(byte[] message, int from, int to, Beside out) throws IOException {
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
    boolean isWhole = true;
    for (String[] pair : new String[][] {{"logger", name}, {"scope_version", version}}) {
      if (fits(out, pair[1].length())) {
        add(pair[0], pair[1], out);
      } else {
        isWhole = false;
      }
    }
    if (!fits(out, attributes.length())) {
      isWhole = false;
    } else if (!attributes.isEmpty()) {
      out.name("scope_attributes").begin('{').addAll(attributes).end('}');
    }
    if (dropped != 0) {
      out.add("scope_dropped_attributes_count", dropped);
    }
    return isWhole;
  }

  private static boolean fits(Beside out, int more) {
    return out.length() + more <= EventOrigins.MAX_BESIDE_BYTES;
  }

  private static void add(String name, String value, Beside out) {
    if (!value.isEmpty()) {
      out.add(name, value);
    }
  }
}
