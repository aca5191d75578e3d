package io.cordwood.cli.segment;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sums over the batches of a segment. One thread. */
final class SegmentSums {
  private final Map<Topic, Sum> byTopic = new TreeMap<>();
  private final Set<Labels> labels = new HashSet<>();
  private @Nullable UlidRange range;
  private long batches;

  /**
   * The sum of one topic.
   *
   * @param bytes of the records, each with its delimiter
   */
  record Sum(long records, long bytes) {
    private Sum plus(Sum other) {
      return new Sum(records + other.records, bytes + other.bytes);
    }
  }

  void add(Batch batch) {
    batches++;
    range = range == null ? batch.range() : range.union(batch.range());
    if (!batch.labels().isEmpty()) {
      labels.add(batch.labels());
    }
    byTopic.merge(batch.topic(), new Sum(batch.records(), batch.payload().remaining()), Sum::plus);
  }

  Map<Topic, Sum> byTopic() {
    return Collections.unmodifiableMap(byTopic);
  }

  /** From the first record to the last; empty if there is none. */
  Optional<UlidRange> range() {
    return Optional.ofNullable(range);
  }

  /** How many different labels there are. */
  int labels() {
    return labels.size();
  }

  long batches() {
    return batches;
  }

  long records() {
    return byTopic.values().stream().mapToLong(Sum::records).sum();
  }

  long payloadBytes() {
    return byTopic.values().stream().mapToLong(Sum::bytes).sum();
  }
}
