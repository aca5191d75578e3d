package io.cordwood.store.keep;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The range of blocks that can no longer be read, small enough to be fetched in one request.
 *
 * @param range from the first record of the first block to the last of the last one
 * @param rawBytes of the blocks before compression
 */
public record LostRange(Topic topic, UlidRange range, long records, long rawBytes) {
  private static final long MAX_JOINED_BYTES = 64L << 20;

  /** The ranges of some blocks of one segment; blocks of a topic that follow each other are one. */
  static List<LostRange> of(List<BlockInfo> blocks) {
    List<LostRange> ranges = new ArrayList<>();
    int ordinal = -1;
    for (BlockInfo block : blocks) {
      var range = new LostRange(block.topic(), block.range(), block.records(), block.rawBytes());
      if (block.ordinal() == ordinal + 1
          && !ranges.isEmpty()
          && ranges.getLast().topic.equals(block.topic())
          && ranges.getLast().rawBytes < MAX_JOINED_BYTES) {
        ranges.add(ranges.removeLast().and(range));
      } else {
        ranges.add(range);
      }
      ordinal = block.ordinal();
    }
    return ranges;
  }

  private LostRange and(LostRange next) {
    return new LostRange(
        topic, range.union(next.range), records + next.records, rawBytes + next.rawBytes);
  }
}
