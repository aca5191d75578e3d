package io.cordwood.query.scan;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import io.cordwood.query.Query;
import io.cordwood.query.ScanStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which blocks a query has to read: those in range, of its topics, that neither their filters nor
 * earlier searches rule out.
 */
final class ScanPlan {
  private ScanPlan() {}

  /** A block of a segment. */
  record BlockRef(Segment segment, BlockInfo info) {}

  /**
   * The blocks to be read, in no particular order; what was skipped is counted. All that is in
   * range is counted before the first filter is read, so that it is known early how much there is.
   *
   * @param misses what is known of filters and of blocks that hold no match
   * @param meanwhile done before each segment; may end it by an exception
   */
  static List<BlockRef> of(
      Query query,
      List<? extends Segment> segments,
      KnownMisses misses,
      ScanStats stats,
      Meanwhile meanwhile)
      throws IOException {
    List<Wanted> all = new ArrayList<>();
    for (Segment segment : segments) {
      meanwhile.run();
      List<BlockInfo> wanted = wanted(query, segment, stats);
      if (!wanted.isEmpty()) {
        all.add(new Wanted(segment, wanted));
      }
    }
    List<BlockRef> plan = new ArrayList<>();
    KnownMisses.ForQuery known = misses.of(query);
    var turn = new Turn();
    for (Wanted each : all) {
      meanwhile.run();
      turn.giveWayIfLong();
      BitSet candidates = known.candidates(each.segment);
      long skipped = 0;
      long skippedBytes = 0;
      for (BlockInfo block : each.blocks) {
        if (candidates.get(block.ordinal())) {
          plan.add(new BlockRef(each.segment, block));
        } else {
          skipped++;
          skippedBytes += block.rawBytes();
        }
      }
      stats.blocksSkipped.addAndGet(skipped);
      stats.bytesDone.addAndGet(skippedBytes);
    }
    return plan;
  }

  private record Wanted(Segment segment, List<BlockInfo> blocks) {}

  /** Of a virtual thread, which gives way by itself only where it waits. */
  private static final class Turn {
    private static final long LONG_NANOS = 1_000_000;

    private long began = System.nanoTime();

    @SuppressWarnings("ThreadPriorityCheck") // the filters of many segments take long
    void giveWayIfLong() {
      if (System.nanoTime() - began > LONG_NANOS) {
        Thread.yield();
        began = System.nanoTime();
      }
    }
  }

  /** A segment's blocks that are in range and of the query's topics; counts them. */
  static List<BlockInfo> wanted(Query query, Segment segment, ScanStats stats) {
    if (!segment.range().overlaps(query.range())) {
      return List.of();
    }
    stats.segments.incrementAndGet();
    List<BlockInfo> blocks = segment.blocks();
    List<BlockInfo> some =
        isAskedForWhole(query, segment)
            ? blocks
            : blocks.stream().filter(b -> isAskedFor(query, b)).toList();
    List<BlockInfo> wanted = some.size() == blocks.size() ? blocks : some; // mostly no copy is held
    long bytes = 0;
    long records = 0;
    for (BlockInfo block : wanted) {
      bytes += block.rawBytes();
      records += block.records();
    }
    stats.blocks.addAndGet(wanted.size());
    stats.bytesInRange.addAndGet(bytes);
    stats.recordsInRange.addAndGet(records);
    return wanted;
  }

  private static boolean isAskedForWhole(Query query, Segment segment) {
    return query.topics().isAll()
        && query.selection().isAll()
        && query.range().contains(segment.range());
  }

  private static boolean isAskedFor(Query query, BlockInfo block) {
    return block.range().overlaps(query.range())
        && query.topics().contain(block.topic())
        && query.selection().overlaps(block.topic(), block.range());
  }
}
