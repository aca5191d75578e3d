package io.cordwood.cli.records;

import io.cordwood.common.json.Json;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A line of an answer in JSON.
 *
 * @param ulid empty if the line is no record
 * @param labels of the record's batch
 * @param record null if the line is no record
 * @param group of matches and their context, counted from 1; 0 without context
 * @param context whether the record is no match, but beside one
 * @param notice what the node says besides; null: nothing
 */
public record JsonRecord(
    String ulid,
    String time,
    String topic,
    Labels labels,
    byte @Nullable [] record,
    long group,
    boolean context,
    @Nullable String notice) {
  /**
   * Reads one.
   *
   * @throws IOException if the line is no object in JSON
   */
  public static JsonRecord of(byte[] line) throws IOException {
    var fields = new Fields();
    try (JsonParser parser = Json.parser(line)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        fields.take(name, parser);
      }
      return fields.record();
    } catch (JacksonException | IllegalArgumentException e) {
      throw new IOException("expected a line of JSON, found something else", e);
    }
  }

  /** A label's value, harmless on any line and terminal; a hyphen if there is none. */
  String label(String name) {
    String value = labels.pairs().get(name);
    return value == null ? "-" : Columns.harmless(value);
  }

  /** A copy with its time in another form. */
  JsonRecord at(String other) {
    return new JsonRecord(ulid, other, topic, labels, record, group, context, notice);
  }

  /** Those of a line, as they come. */
  private static final class Fields {
    private String ulid = "";
    private String time = "";
    private String topic = "";
    private Labels labels = Labels.NONE;
    private byte @Nullable [] record;
    private long group;
    private boolean context;
    private @Nullable String notice;

    private void take(String name, JsonParser parser) {
      switch (name) {
        case "ulid" -> ulid = parser.getString();
        case "time" -> time = parser.getString();
        case "topic" -> topic = parser.getString();
        case "labels" -> labels = Labels.of(Json.texts(parser));
        case "record" -> record = parser.getString().getBytes(StandardCharsets.UTF_8);
        case "record_base64" -> record = parser.getBinaryValue();
        case "group" -> group = parser.getLongValue();
        case "context" -> context = parser.getBooleanValue();
        case "notice" -> notice = parser.getString();
        default -> parser.skipChildren(); // Nothing that is printed by itself.
      }
    }

    private JsonRecord record() {
      return new JsonRecord(ulid, time, topic, labels, record, group, context, notice);
    }
  }
}
