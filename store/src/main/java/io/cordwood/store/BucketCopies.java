package io.cordwood.store;

import io.cordwood.common.segment.StoreSegment;
import java.io.IOException;

/** Knows what a bucket holds for everybody. */
@FunctionalInterface
public interface BucketCopies {
  /**
   * Whether the bucket has each batch of a segment, in objects that this store has seen listed for
   * so long that all readers know of them, and whose tails are intact.
   *
   * @throws IOException if the bucket does not tell
   */
  boolean haveAllOf(StoreSegment segment) throws IOException;
}
