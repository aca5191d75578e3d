package io.cordwood.query.scan;

import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.segment.LabelSummary;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.FieldPath;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Answers which labels batches have, and how many records, from what segments say of their labels;
 * no block is read of those that know it. One thread.
 */
final class LabelAnswer {
  /** Bytes of one answer; a value may have some thousand. */
  private static final long MAX_BYTES = 32 << 20;

  private static final int ENTRY_BYTES = 400;

  /** Heap of the sets of labels that are summed before they are taken apart. */
  private static final int MAX_SET_BYTES = 8 << 20;

  private final Query query;
  private final ScanStats stats;

  /** Sums by whole sets: many segments have each of them, and it is taken apart once. */
  private final Map<Batches, TopicSummary> sets = new HashMap<>();

  private final Map<Pair, TopicSummary> sums = new HashMap<>();
  private long setBytes;
  private long bytes;
  private boolean cut;

  private record Batches(Topic topic, Labels labels) {}

  /** One label of a topic's batches; the value is empty if names are wanted. */
  private record Pair(Topic topic, String name, String value) {
    BatchId id(TopicSummary sum) {
      return new BatchId(sum.range().from(), topic, Labels.of(Map.of(name, value)));
    }
  }

  LabelAnswer(Query query, ScanStats stats) {
    this.query = query;
    this.stats = stats;
  }

  /**
   * Gives summaries in the order of answers.
   *
   * @return false if there are more values than there is room for, and some were left out
   */
  boolean give(List<? extends Segment> segments, HitSink sink) throws IOException {
    for (Segment segment : segments) {
      sink.idle();
      if (segment.range().overlaps(query.range())) {
        summaries(query, segment, stats).forEach(this::add);
      }
    }
    takeApart();
    var ordered = new TreeMap<BatchId, TopicSummary>();
    sums.forEach((pair, sum) -> ordered.put(pair.id(sum), sum));
    for (Map.Entry<BatchId, TopicSummary> next : ordered.entrySet()) {
      BatchId id = next.getKey();
      BlockHits hits =
          Summaries.hits(id.topic(), id.labels(), id.first(), List.of(next.getValue().encode()));
      if (!sink.accept(hits, hits.groups().getFirst())) {
        break;
      }
    }
    return !cut;
  }

  /** Summaries of topics, of the batches that have the labels that are wanted. */
  static List<TopicSummary> ofTopics(
      Query query, List<? extends Segment> segments, ScanStats stats) {
    List<TopicSummary> found = new ArrayList<>();
    for (Segment segment : segments) {
      if (segment.range().overlaps(query.range())) {
        summaries(query, segment, stats).forEach(each -> found.add(sum(each)));
      }
    }
    return found;
  }

  private static List<LabelSummary> summaries(Query query, Segment segment, ScanStats stats) {
    stats.segments.incrementAndGet();
    try {
      return segment.labels().stream()
          .filter(each ->
              query.topics().contain(each.topic())
                  && query.topics().admit(each.labels())
                  && each.range().overlaps(query.range()))
          .toList();
    } catch (IOException e) {
      ScanPlan.unreadable(segment, segment.totals(), e, stats);
      return List.of();
    }
  }

  private static TopicSummary sum(LabelSummary of) {
    return new TopicSummary(of.topic(), of.range(), of.records(), of.bytes());
  }

  private void add(LabelSummary summary) {
    var key = new Batches(summary.topic(), summary.labels());
    TopicSummary before = sets.get(key);
    setBytes += before == null ? BatchIndex.heldBytes(key.labels) : 0;
    sets.put(key, before == null ? sum(summary) : before.plus(sum(summary)));
    if (setBytes > MAX_SET_BYTES) {
      takeApart();
    }
  }

  private void takeApart() {
    sets.forEach((key, sum) -> takeApart(key.labels, sum));
    sets.clear();
    setBytes = 0;
  }

  private void takeApart(Labels labels, TopicSummary sum) {
    if (query.grouping().by().isEmpty()) {
      labels.pairs().keySet().forEach(name -> add(sum, name, ""));
    }
    for (GroupField by : query.grouping().by()) {
      FieldPath label = by.path();
      String value = label == null ? null : label.label(labels);
      if (label != null && value != null) {
        add(sum, label.labelName(), value);
      }
    }
  }

  private void add(TopicSummary sum, String name, String value) {
    var pair = new Pair(sum.topic(), name, value);
    TopicSummary before = sums.get(pair);
    int more = before == null ? (name.length() + value.length()) * 2 + ENTRY_BYTES : 0;
    if (bytes + more > MAX_BYTES) {
      cut = true;
      return;
    }
    bytes += more;
    sums.put(pair, before == null ? sum : before.plus(sum));
  }
}
