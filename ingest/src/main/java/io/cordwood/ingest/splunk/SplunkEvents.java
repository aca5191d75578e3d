package io.cordwood.ingest.splunk;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.json.EventJson;
import io.cordwood.ingest.json.EventTimes;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads objects that stand one after the other, or in a list.
 *
 * <pre>
 *   {"time": 1795723023.203, "host": "web-1", "source": "app", "sourcetype": "json",
 *    "index": "main", "event": "a line", "fields": {"trace_id": "4bf92f35"}}
 * </pre>
 *
 * <p>The time is a number or a text; the event anything but null. For one request and thread.
 */
final class SplunkEvents {
  private final JsonParser json;
  private final EventOrigins origins;
  private final Events events;
  private final Map<String, String> labels = new LinkedHashMap<>();
  private final Beside beside = new Beside();
  private final SplunkContent content = new SplunkContent();
  private EventTime time = EventTime.NONE;
  private int number;

  SplunkEvents(JsonParser json, EventOrigins origins, Events events) {
    this.json = json;
    this.origins = origins;
    this.events = events;
  }

  /**
   * Reads all of them.
   *
   * @throws SplunkError if one is not as it must be
   */
  void read() throws RefusedException {
    while (json.nextToken() != null) {
      switch (json.currentToken()) {
        case START_OBJECT -> event();
        case START_ARRAY, END_ARRAY -> {}
        default -> throw EventJson.unexpected(json, "an object with an event");
      }
    }
    if (number == 0) {
      throw SplunkError.noData();
    }
  }

  private void event() throws RefusedException {
    labels.clear();
    beside.clear();
    content.clear();
    time = EventTime.NONE;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      if (json.nextToken() != JsonToken.VALUE_NULL) {
        property(name);
      }
    }
    add();
    number++;
  }

  private void property(String name) {
    switch (name) {
      case "event" -> content.read(json);
      case "fields" -> fields();
      case "time" -> time();
      case "host", "source", "sourcetype", "index" -> {
        if (!json.currentToken().isScalarValue()) {
          throw EventJson.unexpected(json, "a text as " + name);
        }
        labels.put(name, json.getString());
      }
      default -> {
        beside.attribute(name);
        EventJson.copy(json, beside);
      }
    }
  }

  private void fields() {
    EventJson.expect(json, JsonToken.START_OBJECT, "an object of fields");
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      beside.attribute(json.currentName());
      json.nextToken();
      EventJson.copy(json, beside);
    }
  }

  /** A text that is no time stands beside the event. */
  private void time() {
    if (!json.currentToken().isScalarValue()) {
      throw EventJson.unexpected(json, "a time in seconds");
    }
    String text = json.getString();
    time = EventTimes.of(text);
    if (time.equals(EventTime.NONE)) {
      beside.attribute("time").string(text);
    }
  }

  private void add() throws RefusedException {
    if (content.isMissing()) {
      throw SplunkError.noEvent(number);
    }
    if (content.isBlank()) {
      throw SplunkError.blankEvent(number);
    }
    content.describe(labels, beside);
    if (content.isObject() && beside.isEmpty()) {
      byte[] object = content.bytes();
      events.addObject(origins.of(labels), time, object, 0, object.length);
    } else {
      events.add(origins.of(labels), time, content.bytes(), beside);
    }
  }
}
