package io.cordwood.ingest.fluent;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.Utf8;
import java.util.Arrays;
import java.util.Base64;

/**
 * Writes values of MessagePack as JSON, keys in their order. What JSON cannot say is an object of
 * one key, which begins with a dollar sign:
 *
 * <pre>
 *   bytes that are no UTF-8       {"$base64":"…"}
 *   an extension                  {"$ext":[TYPE,"BASE64"]}
 *   NaN, Infinity, -Infinity      {"$float":"NaN"}
 *   a map with other keys         {"$map":[[KEY,VALUE],…]}    also one that would look like these
 * </pre>
 */
final class PackedJson {
  /** Values within values, at most. */
  static final int MAX_DEPTH = 100;

  private PackedJson() {}

  /** Writes the next value. */
  static void write(Packed in, Beside out) throws RefusedException {
    write(in, out, 0);
  }

  private static void write(Packed in, Beside out, int depth) throws RefusedException {
    if (depth > MAX_DEPTH) {
      throw new RefusedException(
          RejectReason.CORRUPT,
          "expected values within values to a depth of " + MAX_DEPTH + ", found deeper ones");
    }
    int start = in.at();
    switch (in.next()) {
      case NIL -> out.raw("null");
      case FALSE -> out.raw("false");
      case TRUE -> out.raw("true");
      case SIGNED -> out.raw(Long.toString(in.number()));
      case UNSIGNED -> out.raw(Long.toUnsignedString(in.number()));
      case FLOAT -> real(in.real(), Float.toString((float) in.real()), out);
      case DOUBLE -> real(in.real(), Double.toString(in.real()), out);
      case STRING, BINARY -> out.bytes(in.array(), in.from(), in.to());
      case EXTENSION -> extension(in, out);
      case ARRAY -> array(in, out, depth);
      case MAP -> {
        if (isPlainMap(in.copy(start))) {
          object(in, out, depth);
        } else {
          pairs(in, out, depth);
        }
      }
    }
  }

  private static void real(double value, String text, Beside out) {
    if (Double.isFinite(value)) {
      out.raw(text);
    } else {
      out.begin('{').add("$float", text).end('}');
    }
  }

  private static void extension(Packed in, Beside out) {
    byte[] data = Arrays.copyOfRange(in.array(), in.from(), in.to());
    out.begin('{').name("$ext").begin('[').raw(Integer.toString(in.extension()));
    out.string(Base64.getEncoder().encodeToString(data)).end(']').end('}');
  }

  private static void array(Packed in, Beside out, int depth) throws RefusedException {
    out.begin('[');
    for (int left = in.length(); left > 0; left--) {
      write(in, out, depth + 1);
    }
    out.end(']');
  }

  private static void object(Packed in, Beside out, int depth) throws RefusedException {
    out.begin('{');
    for (int left = in.length(); left > 0; left--) {
      var _ = in.next();
      out.name(in.array(), in.from(), in.to());
      write(in, out, depth + 1);
    }
    out.end('}');
  }

  private static void pairs(Packed in, Beside out, int depth) throws RefusedException {
    out.begin('{').name("$map").begin('[');
    for (int left = in.length(); left > 0; left--) {
      out.begin('[');
      write(in, out, depth + 1);
      write(in, out, depth + 1);
      out.end(']');
    }
    out.end(']').end('}');
  }

  /** Whether the next value, which is passed, is a map that an object of JSON can say. */
  private static boolean isPlainMap(Packed in) throws RefusedException {
    if (in.next() != Packed.Kind.MAP) {
      return false;
    }
    int pairs = in.length();
    for (int left = pairs; left > 0; left--) {
      if (!in.next().isText() || !Utf8.is(in.array(), in.from(), in.to())) {
        return false;
      }
      if (pairs == 1 && in.length() > 0 && in.array()[in.from()] == '$') {
        return false;
      }
      in.skip();
    }
    return true;
  }
}
