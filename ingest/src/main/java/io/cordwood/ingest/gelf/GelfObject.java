package io.cordwood.ingest.gelf;

import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Utf8;
import io.cordwood.ingest.json.BoundedJson;
import io.cordwood.ingest.json.EventTimes;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * One object: who sent it and when, and how it is written on one line. Reusable, for one thread.
 */
final class GelfObject {
  /** The fields that become labels, without the underscore that those have which GELF has not. */
  static final Set<String> LABELS =
      Set.of(
          "host",
          "facility",
          "_facility",
          "_app",
          "_app_name",
          "_application",
          "_application_name",
          "_service",
          "_service_name",
          "_service.name",
          "_program",
          "_job",
          "_environment",
          "_env",
          "_namespace",
          "_cluster",
          "_pod",
          "_pod_name",
          "_container_name",
          "_image_name",
          "_source");

  private static final int SHOWN_CHARS = 40;

  private final OneLine line = new OneLine();
  private final Map<String, String> labels = new LinkedHashMap<>();
  private EventTime time = EventTime.NONE;

  /**
   * Reads one; bytes that are no UTF-8 become U+FFFD.
   *
   * @throws NotGelfException if it is not one object of JSON
   */
  void read(byte[] bytes, int from, int to) throws NotGelfException {
    try {
      parse(bytes, from, to);
    } catch (JacksonException e) {
      if (Utf8.is(bytes, from, to)) {
        throw new NotGelfException(message(e));
      }
      byte[] text =
          new String(bytes, from, to - from, StandardCharsets.UTF_8)
              .getBytes(StandardCharsets.UTF_8);
      readText(text);
    }
  }

  private void readText(byte[] text) throws NotGelfException {
    try {
      parse(text, 0, text.length);
    } catch (JacksonException e) {
      throw new NotGelfException(message(e));
    }
  }

  private static String message(JacksonException e) {
    return "expected an object of JSON, found something else at byte %d: %s"
        .formatted(
            e.getLocation() == null ? 0 : e.getLocation().getByteOffset(), e.getOriginalMessage());
  }

  private void parse(byte[] bytes, int from, int to) throws NotGelfException {
    labels.clear();
    time = EventTime.NONE;
    try (JsonParser parser =
        BoundedJson.FACTORY.createParser(ObjectReadContext.empty(), bytes, from, to - from)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new NotGelfException("expected an object of JSON, found " + start(bytes, from, to));
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        take(parser.currentName(), parser);
      }
      if (parser.nextToken() != null) {
        throw new NotGelfException("expected one object of JSON, found more after it");
      }
    }
    line.write(bytes, from, to);
  }

  private static String start(byte[] bytes, int from, int to) {
    int length = Math.min(to - from, SHOWN_CHARS);
    return length == 0
        ? "nothing"
        : '"' + new String(bytes, from, length, StandardCharsets.UTF_8) + '"';
  }

  private void take(String name, JsonParser parser) {
    JsonToken value = parser.nextToken();
    if (name.equals("timestamp") && value.isScalarValue()) {
      time = EventTimes.ofSeconds(parser.getString());
    } else if (value == JsonToken.VALUE_STRING && LABELS.contains(name)) {
      String text = parser.getString();
      if (!text.isBlank()) {
        labels.put(name.startsWith("_") ? name.substring(1) : name, text);
      }
    } else {
      parser.skipChildren();
    }
  }

  EventTime time() {
    return time;
  }

  /** Changed by the next read. */
  Map<String, String> labels() {
    return labels;
  }

  OneLine line() {
    return line;
  }
}
