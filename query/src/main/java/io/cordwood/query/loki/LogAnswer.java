package io.cordwood.query.loki;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Level;
import io.cordwood.query.fields.LevelFinder;
import io.cordwood.query.logql.Changes;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.logql.Streams;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.AnswerMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * Records by their streams. Held until all are found, since those of a stream stand together. For
 * the query's own thread.
 */
final class LogAnswer implements AutoCloseable {
  /** The most records of one answer. */
  static final long MAX = 100_000;

  private final AnswerMemory.Share memory;
  private final Selected selected;
  private final long limit;
  private final boolean forward;
  private final List<Row> rows = new ArrayList<>();
  private final List<LogEntry> entries = new ArrayList<>();

  private record Row(Ulid ulid, Topic topic, Labels labels, String text, Level level) {
    static Row of(BlockHits hits, BlockHits.Group group, int hit) {
      return new Row(
          hits.ulid(group, hit),
          hits.topic(),
          group.labels(),
          hits.text(hit, StandardCharsets.UTF_8),
          levelOf(hits, hit));
    }

    LogEntry entry(Changes changes) {
      return LogEntry.of(
          ulid.millis(), Streams.labels(topic, labels), Beside.of(text), level, changes);
    }

    int heldBytes() {
      return 2 * text.length();
    }
  }

  static Level levelOf(BlockHits hits, int hit) {
    var record = hits.record(hit);
    int from = record.arrayOffset() + record.position();
    return LevelFinder.level(record.array(), from, from + record.remaining());
  }

  /** A record as it is answered. */
  static LogEntry entry(BlockHits hits, BlockHits.Group group, int hit, Changes changes) {
    return Row.of(hits, group, hit).entry(changes);
  }

  LogAnswer(AnswerMemory memory, Selected selected, long limit, boolean forward) {
    this.memory = memory.open();
    this.selected = selected;
    this.limit = limit;
    this.forward = forward;
  }

  void find(Questions questions, UlidRange range) throws IOException {
    for (Query query : questions.of(selected, range, Detail.ULIDS)) {
      Query some = forward ? query.firstOnly(limit) : query.within(range, limit);
      questions.passes().gather(some, this::add);
    }
    rows.sort(Comparator.comparing(Row::ulid));
    if (!forward) {
      Collections.reverse(rows);
    }
    if (rows.size() > limit) {
      List<Row> rest = rows.subList((int) limit, rows.size());
      rest.forEach(row -> memory.free(row.heldBytes()));
      rest.clear();
    }
    makeEntries();
  }

  /** An entry may take far more memory than its record, which it takes the place of. */
  private void makeEntries() {
    var left = new ArrayDeque<>(rows);
    rows.clear();
    while (!left.isEmpty()) {
      Row row = left.removeFirst();
      LogEntry entry = row.entry(selected.changes());
      memory.free(row.heldBytes());
      take(entry.heldBytes());
      entries.add(entry);
    }
  }

  private void take(int heldBytes) {
    if (!memory.take(heldBytes)) {
      throw new LimitException(
          LimitException.Limit.RECORDS,
          ("parameter limit: expected as many records as fit into the memory of an answer,"
                  + " found more than %d; ask for fewer")
              .formatted(Math.max(rows.size(), entries.size())));
    }
  }

  private boolean add(BlockHits hits, BlockHits.Group group) {
    for (int hit = group.from(); hit < group.to(); hit++) {
      Row row = Row.of(hits, group, hit);
      take(row.heldBytes());
      rows.add(row);
    }
    return true;
  }

  int size() {
    return entries.size();
  }

  /** Writes the streams, as an array. */
  void write(boolean categorize, JsonGenerator json) {
    LogEntry.write(entries, categorize, json);
  }

  @Override
  public void close() {
    memory.close();
  }
}
