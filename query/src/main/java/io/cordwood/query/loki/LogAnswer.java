package io.cordwood.query.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Level;
import io.cordwood.query.fields.ParsedRecord;
import io.cordwood.query.logql.Changes;
import io.cordwood.query.logql.Changes.Labelled;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.logql.Streams;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.AnswerMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * Records by their streams. Held until all are found, since those of a stream stand together. For
 * the query's own thread.
 */
final class LogAnswer implements AutoCloseable {
  /** The most records of one answer. */
  static final long MAX = 100_000;

  private final AnswerMemory.Share memory;
  private final long limit;
  private final boolean forward;
  private final List<Row> rows = new ArrayList<>();

  private record Row(Ulid ulid, Topic topic, Labels labels, String text, Level level) {}

  LogAnswer(AnswerMemory memory, long limit, boolean forward) {
    this.memory = memory.open();
    this.limit = limit;
    this.forward = forward;
  }

  void find(Questions questions, Selected selected, UlidRange range) throws IOException {
    for (Query query : questions.of(selected, range, Detail.ULIDS)) {
      Query some = forward ? query.firstOnly(limit) : query.within(range, limit);
      questions.passes().gather(some, this::add);
    }
    rows.sort(Comparator.comparing(Row::ulid));
    if (!forward) {
      Collections.reverse(rows);
    }
    if (rows.size() > limit) {
      rows.subList((int) limit, rows.size()).clear();
    }
  }

  private boolean add(BlockHits hits, BlockHits.Group group) {
    for (int hit = group.from(); hit < group.to(); hit++) {
      if (!memory.take(3 * hits.length(hit))) {
        throw new HttpError(
            400,
            ("parameter limit: expected as many records as fit into the memory of an answer,"
                    + " found more than %d; ask for fewer")
                .formatted(rows.size()));
      }
      var record = hits.record(hit);
      int from = record.arrayOffset() + record.position();
      rows.add(
          new Row(
              hits.ulid(group, hit),
              hits.topic(),
              group.labels(),
              hits.text(hit, StandardCharsets.UTF_8),
              Level.of(record.array(), from, from + record.remaining())));
    }
    return true;
  }

  int size() {
    return rows.size();
  }

  /** A record of a stream. */
  private record Entry(long millis, String line, Labelled labels) {}

  /** Writes the streams, as an array. */
  void write(Changes changes, boolean categorize, JsonGenerator json) {
    Map<SortedMap<String, String>, List<Entry>> streams = new LinkedHashMap<>();
    for (Row row : rows) {
      Entry entry = entry(row, changes);
      SortedMap<String, String> stream = entry.labels.stream();
      if (!categorize) {
        SortedMap<String, String> all = new TreeMap<>(stream);
        all.putAll(entry.labels.beside());
        all.putAll(entry.labels.parsed());
        stream = all;
      }
      streams.computeIfAbsent(stream, _ -> new ArrayList<>()).add(entry);
    }
    json.writeStartArray();
    streams.forEach((labels, entries) -> {
      json.writeStartObject();
      LokiJson.write("stream", labels, json);
      json.writeArrayPropertyStart("values");
      entries.forEach(entry -> write(entry, categorize, json));
      json.writeEndArray();
      json.writeEndObject();
    });
    json.writeEndArray();
  }

  private static void write(Entry entry, boolean categorize, JsonGenerator json) {
    json.writeStartArray();
    json.writeString(Long.toString(entry.millis * LokiTime.NANOS_OF_MILLI));
    json.writeString(entry.line);
    if (categorize) {
      json.writeStartObject();
      LokiJson.writeSome("structuredMetadata", entry.labels.beside(), json);
      LokiJson.writeSome("parsed", entry.labels.parsed(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static Entry entry(Row row, Changes changes) {
    Beside beside = Beside.of(row.text);
    SortedMap<String, String> stream = Streams.labels(row.topic, row.labels);
    beside.values().put(Streams.LEVEL, row.level == Level.NONE ? "unknown" : row.level.word());
    SortedMap<String, String> parsed = new TreeMap<>();
    if (changes.parses()) {
      byte[] line = beside.text().getBytes(StandardCharsets.UTF_8);
      ParsedRecord.of(line, 0, line.length)
          .fields()
          .forEach(
              (name, value) -> labelName(name, stream).ifPresent(own -> parsed.put(own, value)));
    }
    var labels = new Labelled(stream, beside.values(), parsed);
    return new Entry(row.ulid.millis(), changes.apply(beside.text(), labels), labels);
  }

  /** As Loki's parsers name fields; none of what is in a list. */
  private static Optional<String> labelName(String field, Map<String, String> stream) {
    if (field.indexOf('[') >= 0) {
      return Optional.empty();
    }
    String name = field.replaceAll("[^A-Za-z0-9_]", "_");
    return Optional.of(stream.containsKey(name) ? name + "_extracted" : name);
  }

  @Override
  public void close() {
    memory.close();
  }
}
