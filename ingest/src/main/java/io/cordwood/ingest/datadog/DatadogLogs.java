package io.cordwood.ingest.datadog;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.json.EventJson;
import io.cordwood.ingest.json.EventTimes;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads a list of logs, or one.
 *
 * <pre>
 *   [{"message": "a line", "hostname": "web-1", "service": "shop", "ddsource": "java",
 *     "ddtags": "env:prod,team:a", "status": "error", "timestamp": 1795723023203}]
 * </pre>
 *
 * <p>A log without a message is an object. For one request and thread.
 */
final class DatadogLogs {
  /** Names of values that describe the sender, in each log or as parameters. */
  static final List<String> OF_SENDERS =
      List.of("hostname", "service", "ddsource", DatadogTags.NAME);

  private final JsonParser json;
  private final Map<String, String> given;
  private final EventOrigins origins;
  private final Events events;
  private final Map<String, String> labels = new LinkedHashMap<>();
  private final Beside beside = new Beside();
  private byte @Nullable [] message;
  private EventTime time = EventTime.NONE;

  /**
   * @param given what the request's parameters say of the sender; a log may say something else
   */
  DatadogLogs(JsonParser json, Map<String, String> given, EventOrigins origins, Events events) {
    this.json = json;
    this.given = given;
    this.origins = origins;
    this.events = events;
  }

  void read() throws RefusedException {
    if (json.nextToken() != JsonToken.START_ARRAY) {
      log();
    } else {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        log();
      }
    }
    if (json.nextToken() != null) {
      throw EventJson.unexpected(json, "nothing after the logs");
    }
  }

  private void log() throws RefusedException {
    EventJson.expect(json, JsonToken.START_OBJECT, "a log, which is an object");
    labels.clear();
    labels.putAll(given);
    beside.clear();
    message = null;
    time = EventTime.NONE;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      property(name, json.nextToken());
    }
    add();
  }

  private void property(String name, JsonToken token) {
    boolean isText = token == JsonToken.VALUE_STRING;
    if (isText && OF_SENDERS.contains(name)) {
      labels.put(name, json.getString());
    } else if (isText && name.equals("message") && message == null) {
      message = json.getString().getBytes(StandardCharsets.UTF_8);
    } else {
      if (name.equals("timestamp") && token.isScalarValue()) {
        time = EventTimes.of(json.getString());
      }
      beside.attribute(name);
      EventJson.copy(json, beside);
    }
  }

  private void add() throws RefusedException {
    DatadogTags.addTo(labels);
    byte[] text = message;
    if (text != null) {
      events.add(origins.of(labels), time, text, beside);
    } else if (!beside.isEmpty()) {
      byte[] object = beside.toBytes();
      events.addObject(origins.of(labels), time, object, 0, object.length);
    }
  }
}
