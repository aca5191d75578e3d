package io.cordwood.query.scan;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import io.cordwood.query.Query;
import io.cordwood.query.QueryAbandonedException;
import io.cordwood.query.ScanStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Which blocks a query has to read: those in range, of its topics, that their filters do not rule
 * out.
 */
final class ScanPlan {
  private ScanPlan() {}

  /** A block of a segment. */
  record BlockRef(Segment segment, BlockInfo info) {}

  /**
   * The blocks to be read, in no particular order; what was skipped is counted.
   *
   * @param abandoned asked before each segment: whether nobody wants the answer any more
   * @throws QueryAbandonedException if that is so
   */
  @SuppressWarnings("ThreadPriorityCheck") // a virtual thread gives way only where it waits
  static List<BlockRef> of(
      Query query, List<? extends Segment> segments, ScanStats stats, BooleanSupplier abandoned)
      throws IOException {
    List<AnyOf> required = query.invert() ? List.of() : query.matcher().required();
    List<BlockRef> plan = new ArrayList<>();
    for (Segment segment : segments) {
      if (abandoned.getAsBoolean()) {
        throw new QueryAbandonedException();
      }
      Thread.yield(); // The filters of many segments take long.
      List<BlockInfo> wanted = wanted(query, segment, stats);
      if (!wanted.isEmpty()) {
        BitSet candidates = segment.candidates(required);
        for (BlockInfo block : wanted) {
          if (candidates.get(block.ordinal())) {
            plan.add(new BlockRef(segment, block));
          } else {
            stats.blocksSkipped.incrementAndGet();
          }
        }
      }
    }
    return plan;
  }

  /** A segment's blocks that are in range and of the query's topics; counts them. */
  static List<BlockInfo> wanted(Query query, Segment segment, ScanStats stats) {
    if (!segment.range().overlaps(query.range())) {
      return List.of();
    }
    stats.segments.incrementAndGet();
    List<BlockInfo> wanted = segment.blocks().stream().filter(b -> isAskedFor(query, b)).toList();
    stats.blocks.addAndGet(wanted.size());
    for (BlockInfo block : wanted) {
      stats.bytesInRange.addAndGet(block.rawBytes());
      stats.recordsInRange.addAndGet(block.records());
    }
    return wanted;
  }

  private static boolean isAskedFor(Query query, BlockInfo block) {
    return block.range().overlaps(query.range())
        && query.topics().contain(block.topic())
        && query.selection().overlaps(block.topic(), block.range());
  }
}
