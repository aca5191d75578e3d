package io.cordwood.query.scan;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import io.cordwood.query.Query;
import io.cordwood.query.ScanStats;
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

  /**
   * The blocks to be read, in no particular order; what was skipped is counted. All that is in
   * range is counted before the first filter is read, so that it is known early how much there is.
   *
   * @param meanwhile done before each segment; may end it by an exception
   */
  @SuppressWarnings("ThreadPriorityCheck") // a virtual thread gives way only where it waits
  static List<BlockRef> of(
      Query query, List<? extends Segment> segments, ScanStats stats, Meanwhile meanwhile)
      throws IOException {
    List<AnyOf> required = query.invert() ? List.of() : query.matcher().required();
    List<Wanted> all = new ArrayList<>();
    for (Segment segment : segments) {
      meanwhile.run();
      List<BlockInfo> wanted = wanted(query, segment, stats);
      if (!wanted.isEmpty()) {
        all.add(new Wanted(segment, wanted));
      }
    }
    List<BlockRef> plan = new ArrayList<>();
    for (Wanted each : all) {
      meanwhile.run();
      Thread.yield(); // The filters of many segments take long.
      BitSet candidates = each.segment.candidates(required);
      for (BlockInfo block : each.blocks) {
        if (candidates.get(block.ordinal())) {
          plan.add(new BlockRef(each.segment, block));
        } else {
          stats.blocksSkipped.incrementAndGet();
          stats.bytesDone.addAndGet(block.rawBytes());
        }
      }
    }
    return plan;
  }

  private record Wanted(Segment segment, List<BlockInfo> blocks) {}

  /** A segment's blocks that are in range and of the query's topics; counts them. */
  static List<BlockInfo> wanted(Query query, Segment segment, ScanStats stats) {
    if (!segment.range().overlaps(query.range())) {
      return List.of();
    }
    stats.segments.incrementAndGet();
    List<BlockInfo> blocks = segment.blocks();
    List<BlockInfo> some = blocks.stream().filter(b -> isAskedFor(query, b)).toList();
    List<BlockInfo> wanted = some.size() == blocks.size() ? blocks : some; // mostly no copy is held
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
