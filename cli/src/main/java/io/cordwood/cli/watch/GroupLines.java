package io.cordwood.cli.watch;

import io.cordwood.common.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads what {@code /stats} answers in JSON: the number of records of each group. */
final class GroupLines {
  /** A longer value is cut, and ends with a checksum of it. */
  static final int MAX_VALUE = 200;

  private GroupLines() {}

  /**
   * Reads them; a field that records lack is no label.
   *
   * @param labels of fields
   */
  static Map<Map<String, String>, Long> read(InputStream body, Map<String, String> labels)
      throws IOException {
    Map<Map<String, String>, Long> groups = new LinkedHashMap<>();
    try (JsonParser json = Json.parser(body)) {
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> group = null;
        long count = 0;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          json.nextToken();
          switch (name) {
            case "by" -> group = group(json, labels);
            case "count" -> count = json.getLongValue();
            default -> json.skipChildren();
          }
        }
        if (group != null) {
          groups.merge(group, count, Long::sum);
        }
      }
      return groups;
    } catch (JacksonException e) {
      throw new IOException("expected groups in JSON, found something else", e);
    }
  }

  private static Map<String, String> group(JsonParser json, Map<String, String> labels) {
    Map<String, String> group = new TreeMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = json.currentName();
      if (json.nextToken() == JsonToken.VALUE_STRING) {
        group.put(labels.getOrDefault(field, label(field)), cut(json.getString()));
      }
    }
    return group;
  }

  private static String cut(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8); // half a character becomes a ?
    if (value.length() <= MAX_VALUE) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    var sum = new CRC32C();
    sum.update(bytes);
    int end = Character.isHighSurrogate(value.charAt(MAX_VALUE - 1)) ? MAX_VALUE - 1 : MAX_VALUE;
    String begin = value.substring(0, end);
    byte[] kept = begin.getBytes(StandardCharsets.UTF_8);
    return "%s…#%08x".formatted(new String(kept, StandardCharsets.UTF_8), sum.getValue());
  }

  /** The label that a field is, as Prometheus takes it. */
  static String label(String field) {
    String label = field.replaceFirst("^@", "").replaceAll("[^a-zA-Z0-9_]", "_");
    return label.matches("[0-9].*") ? "_" + label : label;
  }
}
