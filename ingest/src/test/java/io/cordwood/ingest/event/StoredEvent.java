package io.cordwood.ingest.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * An event as a record and its labels give it back, by docs/format/foreign.md and not by the code
 * that wrote it.
 *
 * @param millis of its ULID
 * @param beside names and values in order; texts as they are, all else as JSON
 */
public record StoredEvent(
    String topic,
    Map<String, String> labels,
    long millis,
    String text,
    Map<String, String> beside) {

  /** All that a node has stored, in the order in which it did; waits for as many. */
  public static List<StoredEvent> of(RunningNode node, long records) throws IOException {
    var events = new ArrayList<StoredEvent>();
    for (Batch batch : node.consume(records)) {
      for (String record : texts(batch)) {
        events.add(
            of(batch.topic().name(), batch.labels().pairs(), batch.first().millis(), record));
      }
    }
    assertThat(events).hasSize((int) records);
    return events;
  }

  /** The records of a batch. */
  public static List<String> texts(Batch batch) {
    var texts = new ArrayList<String>();
    byte[] payload = new byte[batch.payload().remaining()];
    batch.payload().duplicate().get(payload);
    int from = 0;
    for (int at = 0; at < payload.length; at++) {
      if (payload[at] == batch.delimiter().value()) {
        texts.add(new String(payload, from, at - from, StandardCharsets.UTF_8));
        from = at + 1;
      }
    }
    return texts;
  }

  static StoredEvent of(String topic, Map<String, String> labels, long millis, String record) {
    int at = record.endsWith("}") ? record.lastIndexOf("  {") : -1;
    if (at < 0) {
      return new StoredEvent(topic, labels, millis, record, Map.of());
    }
    Map<String, String> beside = object(record.substring(at + 2));
    String text = record.substring(0, at);
    boolean isEscaped = beside.remove("escapes") != null;
    return new StoredEvent(topic, labels, millis, isEscaped ? unescaped(text) : text, beside);
  }

  /** The text of a record with {@code escapes} beside it. */
  public static String unescaped(String text) {
    var plain = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char each = text.charAt(at);
      plain.append(each != '\\' ? each : text.charAt(++at) == '0' ? '\0' : '\\');
    }
    return plain.toString();
  }

  private static Map<String, String> object(String json) {
    var pairs = new LinkedHashMap<String, String>();
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        pairs.put(name, value == JsonToken.VALUE_STRING ? parser.getString() : raw(parser, json));
      }
      assertThat(parser.nextToken()).isNull();
    }
    return pairs;
  }

  private static String raw(JsonParser parser, String json) {
    int from = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    String whole = json.substring(from);
    return parser.currentToken().isScalarValue()
        ? parser.getString()
        : whole.substring(0, (int) parser.currentLocation().getCharOffset() - from);
  }
}
