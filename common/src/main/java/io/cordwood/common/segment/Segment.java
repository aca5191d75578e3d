package io.cordwood.common.segment;

import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;

/**
 * Batches at rest, in blocks that can be chosen and read one by one: what a query is run over,
 * whether a store has consumed them ({@link StoreSegment}) or not yet ({@link IngestBlocks}). Safe
 * for many threads.
 */
public interface Segment {
  /** From the first record's ULID to the last one's. */
  UlidRange range();

  /** The blocks, by topic, then by ULID. */
  List<BlockInfo> blocks() throws IOException;

  /** The totals of its blocks; known without a read. */
  SegmentTotals totals();

  /**
   * Which blocks, by their ordinals, may hold records that match, by what such a record must
   * contain. A block that is not in the answer holds none.
   *
   * @param required every clause must hold; a clause holds if one of its literals is contained
   */
  BitSet candidates(List<AnyOf> required) throws IOException;

  /**
   * The checksum that a block is stored with: two blocks for which everything else is the same, and
   * this, hold the same batches. Empty if it is not stored as one.
   */
  default OptionalInt checksum(BlockInfo block) throws IOException {
    return OptionalInt.empty();
  }

  /**
   * Reads a block into the decoder's buffers; it is valid until the decoder reads the next one.
   *
   * @throws CorruptException if it is damaged
   */
  Block read(BlockInfo block, BlockDecoder decoder) throws IOException;
}
