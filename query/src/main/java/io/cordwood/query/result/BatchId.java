package io.cordwood.query.result;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import java.util.Comparator;

/**
 * The identity of a batch: its first ULID and its topic. The topic is part of it so that a batch of
 * another topic with the same ULIDs cannot hide records.
 */
public record BatchId(Ulid first, Topic topic) implements Comparable<BatchId> {
  private static final Comparator<BatchId> ORDER =
      Comparator.comparing(BatchId::first).thenComparing(BatchId::topic);

  @Override
  public int compareTo(BatchId other) {
    return ORDER.compare(this, other);
  }
}
