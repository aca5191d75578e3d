package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The kind of a value, by how it is written. */
public enum ValueKind {
  NUMBER,
  DURATION,
  SIZE,
  BOOLEAN,
  TIME,
  TEXT;

  /** The kind of a value. */
  public static ValueKind of(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (!Double.isNaN(Quantity.parse(bytes, 0, bytes.length, Quantity.Kind.PLAIN))) {
      return switch (Quantity.kind(value)) {
        case PLAIN -> NUMBER;
        case SECONDS -> DURATION;
        case BYTES -> SIZE;
      };
    } else if (value.equals("true") || value.equals("false")) {
      return BOOLEAN;
    }
    return LineTime.isTime(value) ? TIME : TEXT;
  }

  /** As it is written: {@code number}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
