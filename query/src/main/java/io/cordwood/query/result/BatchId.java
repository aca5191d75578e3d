package io.cordwood.query.result;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import java.util.Comparator;

/**
 * The identity of a batch: its first ULID, its topic and its labels. Topic and labels are part of
 * it so that a batch of another topic or sender with the same ULIDs cannot hide records.
 */
public record BatchId(Ulid first, Topic topic, Labels labels) implements Comparable<BatchId> {
  private static final Comparator<BatchId> ORDER =
      Comparator.comparing(BatchId::first)
          .thenComparing(BatchId::topic)
          .thenComparing(BatchId::labels);

  /** One without labels. */
  public BatchId(Ulid first, Topic topic) {
    this(first, topic, Labels.NONE);
  }

  @Override
  public int compareTo(BatchId other) {
    return ORDER.compare(this, other);
  }
}
