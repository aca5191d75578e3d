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
  private final long limit;
  private final boolean forward;
  private final List<Row> rows = new ArrayList<>();

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
        throw new LimitException(
            LimitException.Limit.RECORDS,
            ("parameter limit: expected as many records as fit into the memory of an answer,"
                    + " found more than %d; ask for fewer")
                .formatted(rows.size()));
      }
      rows.add(Row.of(hits, group, hit));
    }
    return true;
  }

  int size() {
    return rows.size();
  }

  /** Writes the streams, as an array. */
  void write(Changes changes, boolean categorize, JsonGenerator json) {
    LogEntry.write(rows.stream().map(row -> row.entry(changes)).toList(), categorize, json);
  }

  @Override
  public void close() {
    memory.close();
  }
}
