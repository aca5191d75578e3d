package io.cordwood.common.segment;

import java.util.List;

/**
 * The totals of a segment's blocks.
 *
 * @param rawBytes of their bodies after decompression
 * @param isPacked whether the first one is stored in fewer bytes than it has
 */
public record SegmentTotals(int blocks, long rawBytes, long records, boolean isPacked) {
  public static SegmentTotals of(List<BlockInfo> blocks) {
    long rawBytes = 0;
    long records = 0;
    for (BlockInfo block : blocks) {
      rawBytes += block.rawBytes();
      records += block.records();
    }
    boolean isPacked = !blocks.isEmpty() && blocks.getFirst().isPacked();
    return new SegmentTotals(blocks.size(), rawBytes, records, isPacked);
  }
}
