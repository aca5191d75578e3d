package io.cordwood.ingest.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.json.EventJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads a push as JSON.
 *
 * <pre>
 *   {"streams": [{"stream": {"app": "shop"},
 *                 "values": [["1795722454000000000", "a line", {"trace_id": "4bf92f35"}]]}]}
 * </pre>
 *
 * <p>The time is nanoseconds, as a text or a number. For one request and thread.
 */
final class LokiJson {
  /** Most bytes of the values of a stream whose labels come after them. */
  private static final int MAX_HELD_BYTES = 16 << 20;

  private static final int ENTRY_BYTES = 500;
  private static final long NANOS = 1_000_000_000;

  private final JsonParser json;
  private final EventOrigins origins;
  private final Events events;
  private final Beside beside = new Beside();
  private final List<Held> held = new ArrayList<>();
  private int heldBytes;

  LokiJson(JsonParser json, EventOrigins origins, Events events) {
    this.json = json;
    this.origins = origins;
    this.events = events;
  }

  private record Held(EventTime time, byte[] text, Beside beside) {}

  void read() throws RefusedException {
    json.nextToken();
    EventJson.expect(json, JsonToken.START_OBJECT, "an object with streams");
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      boolean isStreams = json.currentName().equals("streams");
      if (json.nextToken() == JsonToken.VALUE_NULL || !isStreams) {
        json.skipChildren();
      } else {
        streams();
      }
    }
    if (json.nextToken() != null) {
      throw EventJson.unexpected(json, "nothing after the object");
    }
  }

  private void streams() throws RefusedException {
    EventJson.expect(json, JsonToken.START_ARRAY, "a list of streams");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      EventJson.expect(json, JsonToken.START_OBJECT, "a stream");
      stream();
    }
  }

  private void stream() throws RefusedException {
    EventOrigin origin = null;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "stream" -> origin = StreamLabels.origin(origins, labels());
        case "values" -> values(origin);
        default -> json.skipChildren();
      }
    }
    release(origin == null ? origins.of(Map.of()) : origin);
  }

  private void release(EventOrigin origin) throws RefusedException {
    for (Held each : held) {
      events.add(origin, each.time, each.text, each.beside);
    }
    held.clear();
    heldBytes = 0;
  }

  private Map<String, String> labels() {
    EventJson.expect(json, JsonToken.START_OBJECT, "an object of labels");
    var labels = new LinkedHashMap<String, String>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      EventJson.expect(json, JsonToken.VALUE_STRING, "a text as the label's value");
      labels.put(name, json.getString());
    }
    return labels;
  }

  private void values(@Nullable EventOrigin origin) throws RefusedException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    EventJson.expect(json, JsonToken.START_ARRAY, "a list of values");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      EventJson.expect(json, JsonToken.START_ARRAY, "[time, line]");
      entry(origin);
    }
  }

  private void entry(@Nullable EventOrigin origin) throws RefusedException {
    json.nextToken();
    EventTime time = time();
    json.nextToken();
    EventJson.expect(json, JsonToken.VALUE_STRING, "a line as text");
    byte[] text = json.getString().getBytes(StandardCharsets.UTF_8);
    Beside metadata = origin == null ? new Beside() : beside.clear();
    if (json.nextToken() == JsonToken.START_OBJECT) {
      metadata(metadata);
      json.nextToken();
    }
    EventJson.expect(json, JsonToken.END_ARRAY, "an object of metadata or ]");
    if (origin != null) {
      events.add(origin, time, text, metadata);
    } else {
      hold(new Held(time, text, metadata));
    }
  }

  private void metadata(Beside target) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      target.attribute(json.currentName());
      json.nextToken();
      EventJson.copy(json, target);
    }
  }

  private void hold(Held entry) {
    held.add(entry);
    heldBytes += entry.text.length + entry.beside.length() + ENTRY_BYTES;
    if (heldBytes > MAX_HELD_BYTES) {
      throw new HttpError(
          413, "body: expected a stream's labels before %d bytes of values".formatted(heldBytes));
    }
  }

  private EventTime time() {
    JsonToken token = json.currentToken();
    if (token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NUMBER_INT) {
      throw EventJson.unexpected(json, "a time in nanoseconds");
    }
    String text = json.getString();
    try {
      long nanos = text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
      boolean isSigned = nanos == 0 || text.startsWith("-");
      return isSigned
          ? new EventTime(Math.floorDiv(nanos, NANOS), (int) Math.floorMod(nanos, NANOS))
          : EventTime.ofUnsignedNanos(nanos);
    } catch (NumberFormatException e) {
      throw EventJson.unexpected(json, "a time in nanoseconds");
    }
  }
}
