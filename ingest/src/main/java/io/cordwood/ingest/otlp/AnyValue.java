package io.cordwood.ingest.otlp;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.protobuf.ProtoReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Writes OTLP's values as JSON, so that each can be told from the others:
 *
 * <pre>
 *   text        "…"                      double      1.0, 1.0E10, {"$double":"NaN"}
 *   bool        true                     bytes       {"$base64":"aGk="}
 *   int         1                        none        null
 *   array       […]                      kvlist      {…}, its keys in the order in which they came
 * </pre>
 */
final class AnyValue {
  static final int TEXT = 1;
  private static final int BOOL = 2;
  private static final int INT = 3;
  private static final int DOUBLE = 4;
  private static final int ARRAY = 5;
  private static final int LIST = 6;
  private static final int BYTES = 7;

  private static final int KEY = 1;
  private static final int VALUE = 2;
  private static final int VALUES = 1;

  private AnyValue() {}

  /** Writes the value that the reader's field is. */
  static void write(ProtoReader in, Beside out) throws IOException {
    long outer = in.enter();
    writeAll(in, out);
    in.leave(outer);
  }

  /** Writes the value whose message the reader reads. */
  static void writeAll(ProtoReader in, Beside out) throws IOException {
    boolean isWritten = false;
    while (in.next()) {
      int kind = in.field();
      if (kind < TEXT || kind > BYTES) {
        continue;
      }
      if (isWritten) {
        throw new HttpError(400, "value: expected one kind, found another: field " + kind);
      }
      isWritten = true;
      writeOne(in, kind, out);
    }
    if (!isWritten) {
      out.raw("null");
    }
  }

  private static void writeOne(ProtoReader in, int kind, Beside out) throws IOException {
    switch (kind) {
      case TEXT -> {
        in.load();
        out.string(in.buffer(), in.from(), in.to());
      }
      case BOOL -> out.raw(in.varint() == 0 ? "false" : "true");
      case INT -> out.raw(Long.toString(in.varint()));
      case DOUBLE -> number(Double.longBitsToDouble(in.fixed64()), out);
      case ARRAY -> array(in, out);
      case LIST -> list(in, out);
      default -> special("$base64", base64(in), out);
    }
  }

  private static void number(double value, Beside out) {
    if (Double.isFinite(value)) {
      out.raw(Double.toString(value));
    } else {
      special("$double", Double.toString(value), out);
    }
  }

  private static String base64(ProtoReader in) throws IOException {
    return new String(Base64.getEncoder().encode(in.bytes()), StandardCharsets.US_ASCII);
  }

  private static void special(String kind, String text, Beside out) {
    out.begin('{').add(kind, text).end('}');
  }

  private static void array(ProtoReader in, Beside out) throws IOException {
    out.begin('[');
    long outer = in.enter();
    while (in.next()) {
      if (in.field() == VALUES) {
        write(in, out);
      }
    }
    in.leave(outer);
    out.end(']');
  }

  private static void list(ProtoReader in, Beside out) throws IOException {
    out.begin('{');
    long outer = in.enter();
    while (in.next()) {
      if (in.field() == VALUES) {
        pair(in, AnyValue::name, out);
      }
    }
    in.leave(outer);
    out.end('}');
  }

  /** Writes a key that the reader has loaded. */
  @FunctionalInterface
  interface Name {
    void write(ProtoReader in, Beside out);
  }

  /** Keys that would look like the kind of a value have one more sign in front. */
  static void name(ProtoReader in, Beside out) {
    byte[] bytes = in.buffer();
    if (in.to() > in.from() && bytes[in.from()] == '$') {
      String text = textOf(in);
      boolean isLikeKind = text.matches("\\$+(base64|double)");
      out.name(isLikeKind ? "$" + text : text);
    } else {
      out.name(bytes, in.from(), in.to());
    }
  }

  /** The text that a reader has loaded. */
  static String textOf(ProtoReader in) {
    return new String(in.buffer(), in.from(), in.to() - in.from(), StandardCharsets.UTF_8);
  }

  /** Writes the key and the value that the reader's field is. */
  static void pair(ProtoReader in, Name name, Beside out) throws IOException {
    long outer = in.enter();
    boolean isNamed = false;
    boolean isWritten = false;
    ProtoReader early = null;
    while (in.next()) {
      if (in.field() == KEY && !isNamed) {
        in.load();
        name.write(in, out);
        isNamed = true;
      } else if (in.field() == VALUE && isNamed && !isWritten) {
        write(in, out);
        isWritten = true;
      } else if (in.field() == VALUE && !isNamed) {
        in.load();
        early = in.nested();
      }
    }
    in.leave(outer);
    if (!isNamed) {
      out.name("");
    }
    if (!isWritten && early != null) {
      writeAll(early, out);
    } else if (!isWritten) {
      out.raw("null");
    }
  }
}
