package io.cordwood.query.loki;

import io.cordwood.common.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A record as a text, and what its sender sent beside it: an object after the text and two spaces.
 *
 * @param text without it
 * @param values by name
 */
record Beside(String text, SortedMap<String, String> values) {
  private static final String BEGINNING = "  {";
  private static final String ESCAPES = "escapes";

  /** Cuts a record. */
  static Beside of(String record) {
    int begin = record.endsWith("}") ? record.lastIndexOf(BEGINNING) : -1;
    Optional<SortedMap<String, String>> values =
        begin < 0 ? Optional.empty() : values(record.substring(begin + BEGINNING.length() - 1));
    if (values.isEmpty()) {
      return new Beside(record, new TreeMap<>());
    }
    String text = record.substring(0, begin);
    boolean escaped = values.get().remove(ESCAPES) != null;
    return new Beside(escaped ? unescaped(text) : text, values.get());
  }

  private static String unescaped(String text) {
    var plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next == '\\' && i + 1 < text.length()) {
        i++;
        plain.append(text.charAt(i) == '0' ? '\0' : text.charAt(i));
      } else {
        plain.append(next);
      }
    }
    return plain.toString();
  }

  /** Empty if it is no object. */
  private static Optional<SortedMap<String, String>> values(String json) {
    SortedMap<String, String> all = new TreeMap<>();
    try (JsonParser parser = Json.parser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        put(parser, json, all);
      }
      return parser.nextToken() == null ? Optional.of(all) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static void put(JsonParser parser, String json, Map<String, String> all) {
    String name = parser.currentName();
    JsonToken value = parser.nextToken();
    if (value.isStructStart()) {
      int begin = (int) parser.currentTokenLocation().getCharOffset();
      parser.skipChildren();
      all.put(name, json.substring(begin, (int) parser.currentLocation().getCharOffset()));
    } else {
      all.put(name, parser.getString());
    }
  }
}
