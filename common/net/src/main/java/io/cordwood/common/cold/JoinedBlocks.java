package io.cordwood.common.cold;

import io.cordwood.common.segment.BlockInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks of an object that are got by one request.
 *
 * <p>A request takes some 40 ms before its first byte comes. A link of 100 MB/s that {@link
 * ColdFetcher#AT_ONCE} of them share brings each 125 KB meanwhile: so it takes no longer to read a
 * gap of that length than to ask again. Of the time of 1 MiB on that link, the wait is an eighth;
 * longer ranges would take more memory for little.
 *
 * @param from offset of the first
 * @param bytes from there to the end of the last
 * @param blocks how many they are
 * @param blockBytes of the blocks alone
 */
record JoinedBlocks(long from, int bytes, int blocks, int blockBytes) {
  /** Blocks are joined over gaps of at most that many bytes. */
  static final int MOST_GAP_BYTES = 128 << 10;

  /** Blocks are joined up to that many bytes; a block may have more by itself. */
  static final int MOST_BYTES = 1 << 20;

  private static JoinedBlocks of(BlockInfo block) {
    return new JoinedBlocks(block.offset(), block.storedBytes(), 1, block.storedBytes());
  }

  /**
   * Joins what lies close together.
   *
   * @param blocks in the order of their offsets
   */
  static List<JoinedBlocks> of(List<BlockInfo> blocks) {
    List<JoinedBlocks> joined = new ArrayList<>();
    for (BlockInfo block : blocks) {
      if (!joined.isEmpty() && joined.getLast().takes(block)) {
        joined.add(joined.removeLast().with(block));
      } else {
        joined.add(of(block));
      }
    }
    return joined;
  }

  private boolean takes(BlockInfo block) {
    return block.offset() - (from + bytes) <= MOST_GAP_BYTES
        && block.offset() + block.storedBytes() - from <= MOST_BYTES;
  }

  private JoinedBlocks with(BlockInfo block) {
    int more = block.storedBytes();
    return new JoinedBlocks(
        from, (int) (block.offset() + more - from), blocks + 1, blockBytes + more);
  }

  /** Bytes that no block of these has. */
  int gapBytes() {
    return bytes - blockBytes;
  }
}
