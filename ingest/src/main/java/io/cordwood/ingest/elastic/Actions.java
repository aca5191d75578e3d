package io.cordwood.ingest.elastic;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.json.JsonFound;
import io.cordwood.ingest.elastic.Action.Verb;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the lines in front of documents. Without one that can be read nobody knows which of the
 * lines after it are documents. For one request, and one thread.
 */
final class Actions {
  private final JsonFactory factory;
  private final String usualIndex;
  private byte[] knownLine = new byte[0];
  private @Nullable Action known;

  /**
   * @param usualIndex of actions that name none
   */
  Actions(JsonFactory factory, String usualIndex) {
    this.factory = factory;
    this.usualIndex = usualIndex;
  }

  /**
   * Reads a line.
   *
   * @throws HttpError 400 if it is no action
   */
  Action read(BodyLines lines) {
    if (lines.isTooLong()) {
      throw bad(lines, "a line of more than " + BodyLines.MAX_BYTES + " bytes");
    }
    Action last = known;
    byte[] bytes = lines.bytes();
    if (last != null
        && Arrays.equals(bytes, lines.start(), lines.end(), knownLine, 0, knownLine.length)) {
      return last;
    }
    try (JsonParser json =
        factory.createParser(
            ObjectReadContext.empty(), bytes, lines.start(), lines.end() - lines.start())) {
      Action action = read(json, lines);
      known = action;
      knownLine = Arrays.copyOfRange(bytes, lines.start(), lines.end());
      return action;
    } catch (JacksonException e) {
      throw bad(lines, JsonFaults.text(e));
    }
  }

  private Action read(JsonParser json, BodyLines lines) {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw bad(lines, JsonFound.at(json));
    }
    Verb verb = null;
    Map<String, String> about = new HashMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      Verb found = Verb.of(json.currentName());
      JsonToken value = json.nextToken();
      if (found != null && verb == null && value == JsonToken.START_OBJECT) {
        verb = found;
        readAbout(json, about);
      } else {
        json.skipChildren();
      }
    }
    if (verb == null) {
      throw bad(lines, "none of them");
    }
    if (json.nextToken() != null) {
      throw bad(lines, JsonFound.at(json) + " after it");
    }
    String index = about.getOrDefault("_index", usualIndex);
    return new Action(
        verb,
        index,
        about.get("_id"),
        about.getOrDefault("routing", about.get("_routing")),
        about.get("pipeline"));
  }

  private static void readAbout(JsonParser json, Map<String, String> about) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
        about.put(name, json.getString());
      } else {
        json.skipChildren();
      }
    }
  }

  private static HttpError bad(BodyLines lines, String found) {
    return new HttpError(
        400,
        "line %d: expected an action, {\"index\":{}}, create, update or delete, found %s"
            .formatted(lines.number(), found));
  }
}
