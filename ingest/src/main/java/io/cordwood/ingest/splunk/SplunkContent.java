package io.cordwood.ingest.splunk;

import io.cordwood.ingest.event.Beside;
import io.cordwood.ingest.json.EventJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The event itself: a text, an object, or Docker's object around a line, of which the line is the
 * text and the rest describes the sender.
 *
 * <pre>
 *   {"line": "a line", "source": "stdout", "tag": "7d5f", "attrs": {"env": "prod"}}
 * </pre>
 *
 * <p>Reusable; for one thread.
 */
final class SplunkContent {
  private static final Set<String> DOCKER = Set.of("line", "source", "tag", "attrs");

  private final Beside object = new Beside();
  private final Map<String, String> docker = new LinkedHashMap<>();
  private boolean isDocker;
  private boolean isMissing = true;
  private boolean isObject;
  private byte[] text = {};

  void clear() {
    isMissing = true;
  }

  boolean isMissing() {
    return isMissing;
  }

  boolean isBlank() {
    return !isObject && text.length == 0;
  }

  /** Whether it is an object, and not a text. */
  boolean isObject() {
    return isObject;
  }

  /** The text, or the object. */
  byte[] bytes() {
    return text;
  }

  /** Reads the value at which a parser is. */
  void read(JsonParser json) {
    isMissing = false;
    isObject = json.currentToken() == JsonToken.START_OBJECT;
    docker.clear();
    object.clear();
    if (isObject) {
      readObject(json);
    } else if (json.currentToken() == JsonToken.START_ARRAY) {
      EventJson.copy(json, object);
      byte[] withBraces = object.toBytes();
      text = Arrays.copyOfRange(withBraces, 1, withBraces.length - 1);
    } else {
      text = utf8(json.getString());
    }
  }

  private void readObject(JsonParser json) {
    isDocker = true;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      object.name(name);
      if (name.equals("attrs") && token == JsonToken.START_OBJECT) {
        attributes(json);
      } else {
        isDocker &= DOCKER.contains(name) && token == JsonToken.VALUE_STRING;
        if (isDocker) {
          docker.put(name, json.getString());
        }
        EventJson.copy(json, object);
      }
    }
    isDocker &= docker.containsKey("line") && docker.containsKey("source");
    isObject = !isDocker;
    text = isDocker ? utf8(docker.getOrDefault("line", "")) : object.toBytes();
  }

  private void attributes(JsonParser json) {
    object.begin('{');
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      isDocker &= json.nextToken() == JsonToken.VALUE_STRING && !DOCKER.contains(name);
      object.name(name);
      if (isDocker) {
        docker.put(name, json.getString());
      }
      EventJson.copy(json, object);
    }
    object.end('}');
  }

  /** Adds Docker's words on the sender; those whose name is taken stand beside the text. */
  void describe(Map<String, String> labels, Beside beside) {
    if (isObject) {
      return;
    }
    docker.remove("line");
    docker.forEach((name, value) -> {
      if (labels.putIfAbsent(name, value) != null) {
        beside.attribute(name).string(value);
      }
    });
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
