package io.cordwood.query.loki;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.ParsedRecord;
import io.cordwood.query.fields.ValueKind;
import io.cordwood.query.logql.Streams;
import io.cordwood.query.result.BlockHits;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/** The fields of some records, with their values. For the query's own thread. */
final class DetectedFields {
  /** More of a field are not told apart. */
  private static final int MAX_VALUES = 1000;

  /** More fields are not looked at. */
  private static final int MAX_FIELDS = 1000;

  /** The memory of names and values; what is beyond it is not told apart. */
  private static final long MAX_BYTES = 16L << 20;

  /** A name or a value takes as much besides its characters. */
  private static final int ENTRY_BYTES = 100;

  private final Map<String, Field> byName = new TreeMap<>();
  private long bytes;

  private final class Field {
    private final Set<String> values = new HashSet<>();
    private final Set<String> parsers = new HashSet<>();
    private ValueKind kind;
    private boolean isWhole = true;

    Field(ValueKind kind) {
      this.kind = kind;
    }

    void add(String value, Optional<String> parser) {
      ValueKind next = ValueKind.of(value);
      kind = kind == next ? kind : ValueKind.TEXT;
      isWhole &= value.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
      parser.ifPresent(parsers::add);
      if (values.size() < MAX_VALUES && hasRoom(value) && values.add(value)) {
        bytes += bytes(value);
      }
    }

    String type() {
      return switch (kind) {
        case NUMBER -> isWhole ? "int" : "float";
        case DURATION -> "duration";
        case SIZE -> "bytes";
        case BOOLEAN -> "boolean";
        case TIME, TEXT -> "string";
      };
    }
  }

  boolean add(BlockHits hits, BlockHits.Group group) {
    for (int hit = group.from(); hit < group.to(); hit++) {
      Beside beside = Beside.of(hits.text(hit, StandardCharsets.UTF_8));
      add(Streams.LEVEL, LogEntry.word(LogAnswer.levelOf(hits, hit)), Optional.empty());
      beside.values().forEach((name, value) -> add(name, value, Optional.empty()));
      byte[] line = beside.text().getBytes(StandardCharsets.UTF_8);
      String parser = beside.text().stripLeading().startsWith("{") ? "json" : "logfmt";
      ParsedRecord.of(line, 0, line.length, Extract.NONE)
          .fields()
          .forEach((name, value) -> {
            if (name.indexOf('[') < 0) {
              add(name.replaceAll("[^A-Za-z0-9_]", "_"), value, Optional.of(parser));
            }
          });
    }
    return true;
  }

  private boolean hasRoom(String text) {
    return bytes + bytes(text) <= MAX_BYTES;
  }

  private static long bytes(String text) {
    return ENTRY_BYTES + (long) Character.BYTES * text.length();
  }

  private void add(String name, String value, Optional<String> parser) {
    if (byName.containsKey(name) || (byName.size() < MAX_FIELDS && hasRoom(name))) {
      bytes += byName.containsKey(name) ? 0 : bytes(name);
      byName.computeIfAbsent(name, _ -> new Field(ValueKind.of(value))).add(value, parser);
    }
  }

  /** Writes the objects of at most that many. */
  void write(long most, JsonGenerator json) {
    byName.entrySet().stream()
        .limit(most)
        .forEach(each -> {
          Field field = each.getValue();
          json.writeStartObject();
          json.writeStringProperty("label", each.getKey());
          json.writeStringProperty("type", field.type());
          json.writeNumberProperty("cardinality", field.values.size());
          if (field.parsers.isEmpty()) {
            json.writeNullProperty("parsers");
          } else {
            json.writeArrayPropertyStart("parsers");
            field.parsers.stream().sorted().forEach(json::writeString);
            json.writeEndArray();
          }
          json.writeEndObject();
        });
  }

  /** The values of a field, in their order. */
  Stream<String> values(String name) {
    Field field = byName.get(name);
    return field == null ? Stream.empty() : field.values.stream().sorted();
  }
}
