package io.cordwood.query;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import java.util.Comparator;

/**
 * What makes a batch the same batch: its first ULID and its topic. The topic, so that nobody can
 * hide the records of a topic behind a batch of another that claims their ULIDs.
 */
public record BatchId(Ulid first, Topic topic) implements Comparable<BatchId> {
  private static final Comparator<BatchId> ORDER =
      Comparator.comparing(BatchId::first).thenComparing(BatchId::topic);

  @Override
  public int compareTo(BatchId other) {
    return ORDER.compare(this, other);
  }
}
