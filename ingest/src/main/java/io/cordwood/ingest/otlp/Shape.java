package io.cordwood.ingest.otlp;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message of OTLP that JSON is written as, with the numbers of its fields. */
final class Shape {
  static final Shape LOG_RECORD = new Shape();
  static final Shape RESOURCE = new Shape();
  static final Shape SCOPE = new Shape();
  private static final Shape KEY_VALUE = new Shape();
  private static final Shape ANY_VALUE = new Shape();
  private static final Shape ARRAY_VALUE = new Shape();
  private static final Shape KEY_VALUE_LIST = new Shape();

  static {
    LOG_RECORD
        .has("timeUnixNano", 1, Kind.FIXED64)
        .has("severityNumber", 2, Kind.SEVERITY)
        .has("severityText", 3, Kind.TEXT)
        .has("body", 5, ANY_VALUE)
        .hasMany("attributes", 6, KEY_VALUE)
        .has("droppedAttributesCount", 7, Kind.INT)
        .has("flags", 8, Kind.FIXED32)
        .has("traceId", 9, Kind.ID)
        .has("spanId", 10, Kind.ID)
        .has("observedTimeUnixNano", 11, Kind.FIXED64)
        .has("eventName", 12, Kind.TEXT);
    RESOURCE.hasMany("attributes", 1, KEY_VALUE).has("droppedAttributesCount", 2, Kind.INT);
    SCOPE
        .has("name", 1, Kind.TEXT)
        .has("version", 2, Kind.TEXT)
        .hasMany("attributes", 3, KEY_VALUE)
        .has("droppedAttributesCount", 4, Kind.INT);
    KEY_VALUE.has("key", 1, Kind.TEXT).has("value", 2, ANY_VALUE);
    ANY_VALUE
        .has("stringValue", 1, Kind.TEXT)
        .has("boolValue", 2, Kind.BOOL)
        .has("intValue", 3, Kind.INT)
        .has("doubleValue", 4, Kind.DOUBLE)
        .has("arrayValue", 5, ARRAY_VALUE)
        .has("kvlistValue", 6, KEY_VALUE_LIST)
        .has("bytesValue", 7, Kind.BASE64);
    ARRAY_VALUE.hasMany("values", 1, ANY_VALUE);
    KEY_VALUE_LIST.hasMany("values", 1, KEY_VALUE);
  }

  /** How a value is written. */
  enum Kind {
    TEXT,
    BOOL,
    INT,
    DOUBLE,
    FIXED64,
    FIXED32,
    SEVERITY,
    BASE64,
    /** In hexadecimal, as OTLP has it, or in base64, as protobuf has it otherwise. */
    ID,
    MESSAGE
  }

  /**
   * A field of a message.
   *
   * @param shape of its messages; any for others
   * @param isMany whether it is an array of messages
   */
  record Field(int number, Kind kind, Shape shape, boolean isMany) {}

  private final Map<String, Field> fields = new HashMap<>();

  private Shape() {}

  private Shape has(String name, int number, Kind kind) {
    return put(name, new Field(number, kind, this, false));
  }

  private Shape has(String name, int number, Shape shape) {
    return put(name, new Field(number, Kind.MESSAGE, shape, false));
  }

  private Shape hasMany(String name, int number, Shape shape) {
    return put(name, new Field(number, Kind.MESSAGE, shape, true));
  }

  /** JSON may have the names as they are in protobuf, too. */
  private Shape put(String name, Field field) {
    fields.put(name, field);
    fields.put(name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT), field);
    return this;
  }

  /** The field of a name in JSON; null if it is not known. */
  @Nullable Field field(String name) {
    return fields.get(name);
  }
}
