package io.cordwood.query.scan;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.GoneException;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentTotals;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Which blocks a query has to read: those in range, of its topics, that neither their filters nor
 * earlier searches rule out.
 */
final class ScanPlan {
  /** A disk that fails does so for each segment of each query. */
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ScanPlan.class), Duration.ofMinutes(1));

  private ScanPlan() {}

  /**
   * The blocks to be read, in no particular order; what was skipped is counted. All that is in
   * range is counted before the first filter is read, so that it is known early how much there is.
   *
   * @param misses what is known of filters and of blocks that hold no match
   * @param whileIdle done before each segment; may end it by an exception
   */
  static List<BlockRef> of(
      Query query,
      List<? extends Segment> segments,
      NegativeCache misses,
      ScanStats stats,
      IdleCallback whileIdle)
      throws IOException {
    List<Wanted> all = new ArrayList<>();
    for (Segment segment : segments) {
      whileIdle.run();
      wanted(query, segment, stats).ifPresent(all::add);
    }
    List<BlockRef> plan = new ArrayList<>();
    NegativeCache.ForQuery known = misses.of(query);
    var turn = new Turn();
    for (Wanted wanted : all) {
      whileIdle.run();
      turn.giveWayIfLong();
      try {
        wanted.addCandidates(known.candidates(wanted.segment), plan, stats);
      } catch (IOException e) {
        unreadable(wanted.segment, wanted.totals, e, stats);
      }
    }
    return plan;
  }

  /**
   * Blocks of a segment that are in range and of the query's topics.
   *
   * @param some null if they are all that the segment has
   */
  private record Wanted(Segment segment, @Nullable List<BlockInfo> some, SegmentTotals totals) {
    List<BlockInfo> blocks() throws IOException {
      return some == null ? segment.blocks() : some;
    }

    private void addCandidates(BitSet candidates, List<BlockRef> plan, ScanStats stats)
        throws IOException {
      List<BlockInfo> planned = new ArrayList<>();
      long plannedBytes = 0;
      for (BlockInfo block : candidates.isEmpty() ? List.<BlockInfo>of() : blocks()) {
        if (candidates.get(block.ordinal())) {
          planned.add(block);
          plan.add(new BlockRef(segment, block));
          plannedBytes += block.rawBytes();
        }
      }
      segment.willRead(planned);
      stats.blocksSkipped.addAndGet(totals.blocks() - planned.size());
      stats.bytesDone.addAndGet(totals.rawBytes() - plannedBytes);
    }
  }

  static void unreadable(Segment segment, SegmentTotals lost, IOException e, ScanStats stats) {
    stats.bytesDone.addAndGet(lost.rawBytes());
    if (e instanceof GoneException) {
      return;
    }
    stats.blocksDamaged.addAndGet(lost.blocks());
    LOG.warn("the index cannot be read of segment", segment.range(), e);
  }

  /** A block is damaged, or on a part of the disk that cannot be read. */
  static void unreadable(BlockRef ref, IOException e, ScanStats stats) {
    stats.bytesDone.addAndGet(ref.info().rawBytes());
    if (e instanceof GoneException) {
      return;
    }
    stats.blocksDamaged.incrementAndGet();
    LOG.warn("a block cannot be read of segment", ref.segment().range(), e);
  }

  /** Some batches of a block are damaged, the others are read. */
  static void damaged(BlockRef ref, int batches, ScanStats stats) {
    stats.blocksDamaged.incrementAndGet();
    LOG.warn("a block is damaged of segment", ref.segment().range(), batches + " batches of it");
  }

  /** The turn of a virtual thread, which gives way by itself only where it waits. */
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
  static List<BlockInfo> blocks(Query query, Segment segment, ScanStats stats) {
    Optional<Wanted> wanted = wanted(query, segment, stats);
    if (wanted.isEmpty()) {
      return List.of();
    }
    try {
      return wanted.get().blocks();
    } catch (IOException e) {
      unreadable(segment, wanted.get().totals, e, stats);
      return List.of();
    }
  }

  /** A segment's blocks that are in range and of the query's topics, if any are; counts them. */
  private static Optional<Wanted> wanted(Query query, Segment segment, ScanStats stats) {
    if (!segment.range().overlaps(query.range())) {
      return Optional.empty();
    }
    stats.segments.incrementAndGet();
    var all = new Wanted(segment, null, segment.totals());
    try {
      Wanted wanted = isAskedForWhole(query, segment) ? all : some(query, segment, all);
      count(wanted.totals, stats);
      return wanted.totals.blocks() == 0 ? Optional.empty() : Optional.of(wanted);
    } catch (IOException e) {
      count(all.totals, stats);
      unreadable(segment, all.totals, e, stats);
      return Optional.empty();
    }
  }

  /** All, if that is so, since mostly it is, and then no copy is held. */
  private static Wanted some(Query query, Segment segment, Wanted all) throws IOException {
    List<BlockInfo> blocks = segment.blocks();
    List<BlockInfo> some = blocks.stream().filter(b -> isAskedFor(query, b)).toList();
    return some.size() == blocks.size() ? all : new Wanted(segment, some, SegmentTotals.of(some));
  }

  private static void count(SegmentTotals totals, ScanStats stats) {
    stats.blocks.addAndGet(totals.blocks());
    stats.bytesInRange.addAndGet(totals.rawBytes());
    stats.recordsInRange.addAndGet(totals.records());
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
