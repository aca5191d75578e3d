package io.cordwood.ingest.jsonline;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.event.EventOrigin;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventTime;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.json.EventJson;
import io.cordwood.ingest.json.EventTimes;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Adds one line, which stays as it is, byte for byte. If it is an object, its fields give labels
 * and the time; what is no object is a text. For one request and thread.
 */
final class JsonLine {
  private final Set<String> labels;
  private final Set<String> times;
  private final EventOrigins origins;
  private final Events events;
  private final Beside beside = new Beside();
  private final Map<String, String> foundLabels = new LinkedHashMap<>();
  private final Map<String, String> foundTimes = new HashMap<>();

  /**
   * @param labels names of fields
   * @param times names of fields, of which the first that a line has counts
   */
  JsonLine(Set<String> labels, Set<String> times, EventOrigins origins, Events events) {
    this.labels = labels;
    this.times = times;
    this.origins = origins;
    this.events = events;
  }

  void add(byte[] bytes, int from, int to) throws IOException, RefusedException {
    foundLabels.clear();
    foundTimes.clear();
    boolean isObject = from < to && isObject(bytes, from, to);
    EventOrigin origin = origins.of(isObject ? inOrder() : Map.of());
    if (isObject) {
      events.addObject(origin, time(), bytes, from, to);
    } else {
      events.add(origin, EventTime.NONE, bytes, from, to, beside.clear());
    }
  }

  private boolean isObject(byte[] bytes, int from, int to) throws IOException, RefusedException {
    try {
      EventJson.read(bytes, from, to, this::read);
      return true;
    } catch (HttpError e) {
      return false;
    }
  }

  private void read(JsonParser json) {
    json.nextToken();
    EventJson.expect(json, JsonToken.START_OBJECT, "an object");
    fields(json, "");
    if (json.nextToken() != null) {
      throw EventJson.unexpected(json, "nothing after the object");
    }
  }

  private void fields(JsonParser json, String prefix) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = prefix + json.currentName();
      JsonToken token = json.nextToken();
      if (token == JsonToken.START_OBJECT) {
        if (isAskedFor(name + ".")) {
          fields(json, name + ".");
        } else {
          json.skipChildren();
        }
      } else if (token == JsonToken.START_ARRAY) {
        json.skipChildren();
      } else if (token != JsonToken.VALUE_NULL) {
        value(name, json);
      }
    }
  }

  private boolean isAskedFor(String prefix) {
    return labels.stream().anyMatch(it -> it.startsWith(prefix))
        || times.stream().anyMatch(it -> it.startsWith(prefix));
  }

  private void value(String name, JsonParser json) {
    if (labels.contains(name)) {
      foundLabels.put(name, json.getString());
    }
    if (times.contains(name)) {
      foundTimes.put(name, json.getString());
    }
  }

  /** As they are asked for, so that lines that have them in another order have the same origin. */
  private Map<String, String> inOrder() {
    var found = new LinkedHashMap<String, String>();
    for (String name : labels) {
      String value = foundLabels.get(name);
      if (value != null) {
        found.put(name, value);
      }
    }
    return found;
  }

  private EventTime time() {
    for (String name : times) {
      String text = foundTimes.get(name);
      if (text != null) {
        return EventTimes.of(text);
      }
    }
    return EventTime.NONE;
  }
}
