package io.cordwood.store;

import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.segment.StoreSegment;
import java.io.IOException;
import java.util.Optional;

/** Knows what a bucket holds for everybody. */
public interface BucketCopies {
  /**
   * Whether the bucket has each batch of a segment, in objects that this store has seen listed for
   * so long that all readers know of them, and whose tails are intact.
   *
   * @throws IOException if the bucket does not tell
   */
  boolean haveAllOf(StoreSegment segment) throws IOException;

  /**
   * The bucket's place; empty as long as it is not certain.
   *
   * @throws IOException if the bucket does not tell
   */
  Optional<BucketPlace> place() throws IOException;
}
