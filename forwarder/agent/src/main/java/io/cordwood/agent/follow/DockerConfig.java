package io.cordwood.agent.follow;

import io.cordwood.agent.pods.Pod;
import io.cordwood.common.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Labels and settings in what Docker keeps of a container, beside its log. */
final class DockerConfig {
  /** Larger than any that Docker writes. */
  private static final int MOST_BYTES = 4 << 20;

  private static final Map<String, String> LABELS =
      Map.of(
          "/Name", "container",
          "/Config/Image", "image",
          "/Config/Labels/com.docker.compose.project", "compose_project",
          "/Config/Labels/com.docker.compose.service", "compose_service");

  private static final String OF_LABELS = "/Config/Labels/";
  private static final String SETTING = OF_LABELS + Pod.SETTING;

  private DockerConfig() {}

  /** Those that are there; none if it cannot be read. */
  static Map<String, String> labels(Path file) {
    Map<String, String> found = new HashMap<>();
    try (InputStream in = Files.newInputStream(file);
        JsonParser parser = Json.parser(in.readNBytes(MOST_BYTES))) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        read(parser, "", found);
      }
    } catch (IOException | JacksonException e) {
      return Map.of(); // lines are worth more than what is known of them
    }
    found.computeIfPresent(
        "container", (_, name) -> name.startsWith("/") ? name.substring(1) : name);
    found.values().removeIf(String::isEmpty);
    return new TreeMap<>(found);
  }

  private static void read(JsonParser parser, String place, Map<String, String> found) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = place + "/" + parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_OBJECT && isWithin(name)) {
        read(parser, name, found);
      } else if (value == JsonToken.VALUE_STRING && name.startsWith(SETTING)) {
        found.put(name.substring(OF_LABELS.length()), parser.getString());
      } else if (value == JsonToken.VALUE_STRING && LABELS.containsKey(name)) {
        found.put(LABELS.get(name), parser.getString());
      } else {
        parser.skipChildren();
      }
    }
  }

  private static boolean isWithin(String name) {
    return name.equals("/Config") || name.equals("/Config/Labels");
  }
}
