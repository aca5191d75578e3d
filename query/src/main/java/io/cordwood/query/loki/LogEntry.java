package io.cordwood.query.loki;

import io.cordwood.query.fields.Level;
import io.cordwood.query.fields.ParsedRecord;
import io.cordwood.query.logql.Changes;
import io.cordwood.query.logql.Changes.Labelled;
import io.cordwood.query.logql.Streams;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/** A record of a stream, as it is answered. */
record LogEntry(long millis, String line, Labelled labels) {
  /** Its texts are held once for all entries of the stream. */
  private static final int STREAM_LABEL_BYTES = 48;

  private static final int OWN_LABEL_BYTES = 144;

  static LogEntry of(
      long millis, SortedMap<String, String> stream, Beside beside, Level level, Changes changes) {
    beside.values().put(Streams.LEVEL, word(level));
    SortedMap<String, String> parsed = new TreeMap<>();
    byte[] line = beside.text().getBytes(StandardCharsets.UTF_8);
    if (changes.parses()) {
      ParsedRecord.of(line, 0, line.length)
          .fields()
          .forEach(
              (name, value) -> labelName(name, stream).ifPresent(own -> parsed.put(own, value)));
    }
    changes
        .parts()
        .in(line)
        .forEach((name, value) -> labelName(name, stream).ifPresent(own -> parsed.put(own, value)));
    var labels = new Labelled(stream, beside.values(), parsed);
    String changed = changes.apply(beside.text(), Instant.ofEpochMilli(millis), labels);
    return new LogEntry(millis, changed, labels);
  }

  /** The memory that it takes, about, with what is needed to write it. */
  int heldBytes() {
    long bytes = 2L * line.length() + (long) STREAM_LABEL_BYTES * labels.stream().size();
    for (SortedMap<String, String> own : List.of(labels.beside(), labels.parsed())) {
      for (Map.Entry<String, String> each : own.entrySet()) {
        bytes += OWN_LABEL_BYTES + 2L * (each.getKey().length() + each.getValue().length());
      }
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  /** A level, as the value of its label. */
  static String word(Level level) {
    return level == Level.NONE ? "unknown" : level.word();
  }

  /** As Loki's parsers name fields; none of what is in a list. */
  private static Optional<String> labelName(String field, Map<String, String> stream) {
    if (field.indexOf('[') >= 0) {
      return Optional.empty();
    }
    String name = field.replaceAll("[^A-Za-z0-9_]", "_");
    return Optional.of(stream.containsKey(name) ? name + "_extracted" : name);
  }

  /**
   * Writes streams of entries, as an array.
   *
   * @param categorize whether the labels that are not a stream's stand beside each line
   */
  static void write(List<LogEntry> all, boolean categorize, JsonGenerator json) {
    Map<SortedMap<String, String>, List<LogEntry>> streams = new LinkedHashMap<>();
    for (LogEntry entry : all) {
      SortedMap<String, String> stream = entry.labels.stream();
      if (!categorize) {
        stream = new TreeMap<>(stream);
        stream.putAll(entry.labels.beside());
        stream.putAll(entry.labels.parsed());
      }
      streams.computeIfAbsent(stream, _ -> new ArrayList<>()).add(entry);
    }
    json.writeStartArray();
    streams.forEach((labels, entries) -> {
      json.writeStartObject();
      LokiJson.write("stream", labels, json);
      json.writeArrayPropertyStart("values");
      entries.forEach(entry -> entry.write(categorize, json));
      json.writeEndArray();
      json.writeEndObject();
    });
    json.writeEndArray();
  }

  private void write(boolean categorize, JsonGenerator json) {
    json.writeStartArray();
    json.writeString(Long.toString(millis * LokiTime.NANOS_OF_MILLI));
    json.writeString(line);
    if (categorize) {
      json.writeStartObject();
      LokiJson.writeSome("structuredMetadata", labels.beside(), json);
      LokiJson.writeSome("parsed", labels.parsed(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
