package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds up batches by topic and labels. One thread.
 *
 * @param <K> labels, or what stands for them
 */
final class LabelTotals<K> {
  private final Map<Topic, Map<K, Total>> topics = new LinkedHashMap<>();
  private @Nullable Topic lastTopic;
  private @Nullable K lastLabels;
  private Total last = new Total();

  /** Takes a sum. */
  @FunctionalInterface
  interface Sink<K> {
    void accept(Topic topic, K labels, Total total);
  }

  /** The sum of some batches. */
  static final class Total {
    private long records;
    private long bytes;
    private long firstMillis = Long.MAX_VALUE;
    private long lastMillis;

    long records() {
      return records;
    }

    long bytes() {
      return bytes;
    }

    long firstMillis() {
      return firstMillis;
    }

    long lastMillis() {
      return lastMillis;
    }

    private void add(long moreRecords, long moreBytes, long from, long to) {
      records += moreRecords;
      bytes += moreBytes;
      firstMillis = Math.min(firstMillis, from);
      lastMillis = Math.max(lastMillis, to);
    }

    UlidRange range() {
      return new UlidRange(Ulid.firstOf(firstMillis), Ulid.lastOf(lastMillis));
    }

    boolean isOf(LabelSummary summary) {
      return records == summary.records()
          && bytes == summary.bytes()
          && range().equals(summary.range());
    }
  }

  /** Adds a batch. */
  void add(Topic topic, K labels, Ulid first, int records, int bytes) {
    add(topic, labels, records, bytes, first.millis(), first.millis());
  }

  void add(Topic topic, K labels, long records, long bytes, long firstMillis, long lastMillis) {
    if (!topic.equals(lastTopic) || !labels.equals(lastLabels)) {
      last =
          topics
              .computeIfAbsent(topic, _ -> new LinkedHashMap<>())
              .computeIfAbsent(labels, _ -> new Total());
      lastTopic = topic;
      lastLabels = labels;
    }
    last.add(records, bytes, firstMillis, lastMillis);
  }

  void forEach(Sink<K> sink) {
    topics.forEach((topic, sums) -> sums.forEach((labels, sum) -> sink.accept(topic, labels, sum)));
  }

  /** How many sums there are. */
  int size() {
    return topics.values().stream().mapToInt(Map::size).sum();
  }

  void clear() {
    topics.clear();
    lastTopic = null;
    lastLabels = null;
  }

  /** The sums of batches by their labels. */
  static List<LabelSummary> summaries(LabelTotals<Labels> totals) {
    List<LabelSummary> all = new ArrayList<>();
    totals.forEach((topic, labels, sum) ->
        all.add(new LabelSummary(topic, labels, sum.records, sum.bytes, sum.range())));
    return List.copyOf(all);
  }
}
