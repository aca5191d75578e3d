package io.cordwood.query.request;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;

/** Which records are looked at, beyond a query's range and topics, by their identity alone. */
public sealed interface Selection permits MatchAll, Spans, ContextRecords {
  /** Whether nothing is left out. */
  default boolean isAll() {
    return this instanceof MatchAll;
  }

  /** Whether a block, or a batch, may have one of them. */
  boolean overlaps(Topic topic, UlidRange range);

  /**
   * Which records of a batch.
   *
   * @return positions in the batch: from and to of each stretch, in order and apart
   */
  int[] places(Topic topic, Ulid first, int records);
}
