package io.cordwood.store;

import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.StoreSegment;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/** Knows what a bucket holds for everybody. */
public interface BucketCopies {
  /**
   * Whether the bucket has each batch of a segment, or of some blocks of it, in objects that this
   * store has seen listed for so long that all readers know of them, and whose tails are intact.
   *
   * @param wanted the blocks
   * @throws IOException if the bucket does not tell
   */
  boolean haveAllOf(StoreSegment segment, Predicate<BlockInfo> wanted) throws IOException;

  /**
   * The place of the bucket in which the last segment was found, as that is marked now; empty if it
   * is not certain that this is the same one.
   *
   * @throws IOException if the bucket does not tell
   */
  Optional<BucketPlace> place() throws IOException;
}
