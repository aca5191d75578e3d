package io.cordwood.common.segment;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

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

  /** Whether these batches are as they were received, so that a store may have them, too. */
  default boolean isUnconsumed() {
    return false;
  }

  /**
   * The batches of its blocks, to be read without these; empty if it has no list of them.
   *
   * @throws CorruptException if the list is damaged
   */
  default Optional<BatchLists> lists() throws IOException {
    return Optional.empty();
  }

  /** How a block was stored at first. Empty if it is not stored as one. */
  default Optional<FirstForm> firstForm(BlockInfo block) throws IOException {
    return Optional.empty();
  }

  /**
   * Tells which blocks a query is going to read, before the first of them, so that what lies close
   * together can be got at once.
   *
   * @param blocks in the order of {@link #blocks}
   */
  default void willRead(List<BlockInfo> blocks) {}

  /** Tells that a block is one of the next to be read. Does not wait. */
  default void willReadSoon(BlockInfo block) {}

  /**
   * Reads a block into the decoder's buffers; it is valid until the decoder reads the next one.
   *
   * @throws CorruptException if it is damaged
   */
  Block read(BlockInfo block, BlockDecoder decoder) throws IOException;

  /**
   * The sums of each topic and labels. This reads all blocks; segments that know them do not.
   *
   * @throws CorruptException if what they are found in is damaged
   */
  default List<LabelSummary> labels() throws IOException {
    var totals = new LabelTotals<Labels>();
    try (var batches = new SegmentBatches(this)) {
      Batch it;
      while ((it = batches.next()) != null) {
        totals.add(it.topic(), it.labels(), it.first(), it.records(), it.payload().remaining());
      }
    }
    return LabelTotals.summaries(totals);
  }
}
