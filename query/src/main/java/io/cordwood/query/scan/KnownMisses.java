package io.cordwood.query.scan;

import io.cordwood.common.segment.Segment;
import io.cordwood.query.BlockHits;
import io.cordwood.query.Query;
import io.cordwood.query.Query.Detail;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.scan.ScanPlan.BlockRef;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks hold no match of patterns that were searched for: segments never change, so that the
 * same pattern, asked again, in whatever range and form, does not read these blocks again. What a
 * filter let pass by mistake costs once.
 *
 * <p>A bit a block; of patterns that nobody asked for lately, all is forgotten once there is no
 * room. A segment that is gone is still counted until its pattern is forgotten. Safe for many
 * threads.
 */
final class KnownMisses {
  private static final int PATTERN_BYTES = 256;
  private static final int SEGMENT_BYTES = 128;

  private final long maxBytes;
  private final Counter skipped;
  private final Map<Sought, Misses> byPattern = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * @param maxBytes of memory, roughly; 0 for none
   */
  KnownMisses(long maxBytes, MeterRegistry meters) {
    this.maxBytes = maxBytes;
    this.skipped =
        Counter.builder("cordwood.query.misses.blocks")
            .description("Blocks that queries skipped since an earlier one found nothing in them")
            .register(meters);
    meters.gauge("cordwood.query.misses.bytes", this, KnownMisses::bytes);
  }

  /** What decides, of any block, whether it holds a match. */
  private record Sought(PatternSpec pattern, boolean invert) {
    static Sought by(Query query) {
      return new Sought(query.pattern(), query.invert());
    }

    long bytes() {
      long characters = pattern.patterns().stream().mapToLong(String::length).sum();
      return PATTERN_BYTES + 2 * characters;
    }
  }

  /** By segment, the ordinals of the blocks; and the memory that all takes. */
  private static final class Misses {
    final Map<Segment, BitSet> bySegment = new WeakHashMap<>();
    long bytes;
  }

  /** What is known for a query. */
  synchronized ForQuery of(Query query) {
    return new ForQuery(byPattern.get(Sought.by(query)));
  }

  /** What was known when a query began. */
  final class ForQuery {
    private final @Nullable Misses misses;

    private ForQuery(@Nullable Misses misses) {
      this.misses = misses;
    }

    /** Takes the blocks out of a segment's candidates that hold no match. */
    void removeFrom(BitSet candidates, Segment segment) {
      synchronized (KnownMisses.this) {
        BitSet blocks = misses == null ? null : misses.bySegment.get(segment);
        if (blocks != null) {
          int before = candidates.cardinality();
          candidates.andNot(blocks);
          skipped.increment(before - candidates.cardinality());
        }
      }
    }
  }

  /** Notes what a search of a whole block found. */
  void note(Query query, BlockRef ref, BlockHits hits) {
    if (hits.isEmpty() && ref.info().isPacked() && maxBytes > 0 && wasSearchedWhole(query, ref)) {
      add(Sought.by(query), ref);
    }
  }

  /** Whether nothing but the pattern can have kept a record of the block from being a hit. */
  private static boolean wasSearchedWhole(Query query, BlockRef ref) {
    return query.selection().isAll()
        && query.parts().isEmpty()
        && query.detail() != Detail.FIRST_PATTERN
        && query.range().contains(ref.info().range());
  }

  private synchronized void add(Sought sought, BlockRef ref) {
    Misses misses = byPattern.get(sought);
    if (misses == null) {
      misses = new Misses();
      byPattern.put(sought, misses);
      grow(misses, sought.bytes());
    }
    BitSet blocks = misses.bySegment.get(ref.segment());
    if (blocks == null) {
      int all = ref.segment().blocks().size();
      blocks = new BitSet(all);
      misses.bySegment.put(ref.segment(), blocks);
      grow(misses, SEGMENT_BYTES + all / Byte.SIZE);
    }
    blocks.set(ref.info().ordinal());
    makeRoom();
  }

  private void grow(Misses misses, long by) {
    misses.bytes += by;
    bytes += by;
  }

  private void makeRoom() {
    Iterator<Misses> eldestFirst = byPattern.values().iterator();
    while (bytes > maxBytes) {
      bytes -= eldestFirst.next().bytes;
      eldestFirst.remove();
    }
  }

  private synchronized long bytes() {
    return bytes;
  }
}
