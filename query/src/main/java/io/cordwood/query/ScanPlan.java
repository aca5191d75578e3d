package io.cordwood.query;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which blocks a query has to read: those in range, of its topics, that their filters do not rule
 * out.
 */
final class ScanPlan {
  private ScanPlan() {}

  /** A block of a segment. */
  record BlockRef(Segment segment, BlockInfo info) {}

  /** The blocks to be read, in no particular order; what was skipped is counted. */
  static List<BlockRef> of(Query query, List<? extends Segment> segments, ScanStats stats)
      throws IOException {
    List<AnyOf> required = query.invert() ? List.of() : query.matcher().required();
    List<BlockRef> plan = new ArrayList<>();
    for (Segment segment : segments) {
      if (segment.range().overlaps(query.range())) {
        stats.segments.incrementAndGet();
        add(query, segment, required, stats, plan);
      }
    }
    return plan;
  }

  private static void add(
      Query query, Segment segment, List<AnyOf> required, ScanStats stats, List<BlockRef> plan)
      throws IOException {
    List<BlockInfo> wanted = segment.blocks().stream().filter(b -> isAskedFor(query, b)).toList();
    if (wanted.isEmpty()) {
      return;
    }
    BitSet candidates = segment.candidates(required);
    for (BlockInfo block : wanted) {
      stats.blocks.incrementAndGet();
      stats.bytesInRange.addAndGet(block.rawBytes());
      stats.recordsInRange.addAndGet(block.records());
      if (candidates.get(block.ordinal())) {
        plan.add(new BlockRef(segment, block));
      } else {
        stats.blocksSkipped.incrementAndGet();
      }
    }
  }

  private static boolean isAskedFor(Query query, BlockInfo block) {
    return block.range().overlaps(query.range()) && query.topics().contain(block.topic());
  }
}
