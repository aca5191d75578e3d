package io.cordwood.agent.journal;

import io.cordwood.common.json.Json;
import io.cordwood.common.wire.JournalFields;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.PreparedBatch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * An entry of the journal: its text is MESSAGE, some fields are labels, and the rest stands after
 * the text and two spaces, as an object of JSON. So it is with entries that are uploaded to a node.
 */
final class JournalEntry {
  private static final int MILLIS_SHIFT = 16;
  private static final int MICROS_OF_MILLI = 1000;
  private static final List<String> FIELDS_OF_LABELS =
      JournalFields.LABELS.keySet().stream().sorted().toList();

  private final Map<String, List<String>> fields = new LinkedHashMap<>();
  private final Set<String> asLabels = new HashSet<>();
  private int cuts;

  void add(String name, byte[] value) {
    String text = new String(value, StandardCharsets.UTF_8).replace('\0', '\uFFFD');
    fields.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(text);
  }

  /** A value is shorter than it was, or left out. */
  void cut() {
    cuts++;
  }

  /** How often it had to be cut, up to now. */
  int cuts() {
    return cuts;
  }

  private String first(String name) {
    List<String> values = fields.get(name);
    return values == null ? "" : values.getFirst();
  }

  /** Its place in the journal; empty if it has none. */
  String cursor() {
    return first(JournalFields.CURSOR);
  }

  /** When it came to the journal; now if it does not say. */
  private long millis() {
    String micros = first(JournalFields.TIME);
    return micros.matches("[0-9]{1,18}")
        ? Long.parseLong(micros) / MICROS_OF_MILLI
        : System.currentTimeMillis();
  }

  /** As many as fit; the others stand with the rest. */
  private Labels labels(Labels ofAll) {
    Map<String, String> pairs = new TreeMap<>(ofAll.pairs());
    Labels labels = ofAll;
    for (String field : FIELDS_OF_LABELS) {
      String label = JournalFields.LABELS.getOrDefault(field, field);
      String before = pairs.get(label);
      if (isLabel(field)) {
        try {
          pairs.put(label, first(field));
          labels = Labels.of(pairs);
          asLabels.add(field);
        } catch (IllegalArgumentException e) {
          pairs.compute(label, (_, _) -> before);
        }
      }
    }
    return labels;
  }

  private boolean isLabel(String field) {
    List<String> values = fields.get(field);
    return values != null && values.size() == 1 && values.getFirst().indexOf('\n') < 0;
  }

  /**
   * The batch of this record alone. Its ULID comes from time and cursor, so that who sends it twice
   * has sent it once.
   */
  PreparedBatch batch(String topic, Labels ofAll, Runnable acknowledged, Runnable refused) {
    Origin origin = new Origin(topic, labels(ofAll));
    byte[] text = text();
    int length = Math.min(text.length, PreparedBatch.MAX_RECORD_BYTES);
    cuts += length < text.length ? 1 : 0;
    int at = PreparedBatch.payloadAt(origin);
    byte[] bytes = new byte[at + length + 1];
    System.arraycopy(text, 0, bytes, at, length);
    var batch = new PreparedBatch(origin, bytes, acknowledged, refused);
    batch.takeRecords(length + 1, 1);
    ByteBuffer digest = ByteBuffer.wrap(digest());
    long high = millis() << MILLIS_SHIFT | (digest.getShort() & 0xFFFF);
    batch.stamp(high, digest.getLong());
    return batch;
  }

  private byte[] digest() {
    try {
      String text = cursor().isEmpty() ? fields.toString() : cursor();
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private byte[] text() {
    var out = new ByteArrayOutputStream();
    out.writeBytes(first(JournalFields.MESSAGE).getBytes(StandardCharsets.UTF_8));
    Map<String, List<String>> rest = new LinkedHashMap<>(fields);
    rest.keySet()
        .removeIf(name ->
            name.equals(JournalFields.CURSOR)
                || name.equals(JournalFields.TIME)
                || asLabels.contains(name));
    List<String> messages = rest.remove(JournalFields.MESSAGE);
    if (messages != null && messages.size() > 1) {
      rest.put(JournalFields.MESSAGE, messages.subList(1, messages.size()));
    }
    if (!rest.isEmpty()) {
      out.writeBytes(new byte[] {' ', ' '});
      write(rest, out);
    }
    return out.toByteArray();
  }

  private static void write(Map<String, List<String>> rest, ByteArrayOutputStream out) {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      rest.forEach((name, values) -> {
        json.writeName(name);
        if (values.size() == 1) {
          json.writeString(values.getFirst());
        } else {
          json.writeStartArray();
          values.forEach(json::writeString);
          json.writeEndArray();
        }
      });
      json.writeEndObject();
    }
  }
}
