package io.cordwood.query.scan;

import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.SegmentAnswers.ToQuestion;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts by level and by fields of whole blocks: segments never change, so that the same count,
 * asked again in whatever range, as by a dashboard, does not read these blocks again.
 *
 * <p>Some 100 bytes a batch. One count has at most half of the room, and keeps what it has until
 * its segments are gone; of counts that nobody asked for lately, all is forgotten once there is no
 * room. Safe for many threads.
 */
final class TallyCache {
  private static final int SEGMENT_BYTES = 128;
  private static final int BLOCK_BYTES = 160;
  private static final int BATCH_BYTES = 96;

  /** A count by fields may be as large as what is counted. */
  private static final int MAX_BLOCK_BYTES = 32 << 10;

  private final long maxBytes;
  private final Counter answered;
  private final SegmentAnswers<Count, OfSegment> answers;

  /**
   * @param maxBytes of memory, roughly; 0 for none
   */
  TallyCache(long maxBytes, MeterRegistry meters) {
    this.maxBytes = maxBytes;
    this.answers = new SegmentAnswers<>(maxBytes);
    this.answered = meters.counter("cordwood.query.tallies.blocks");
    meters.gauge("cordwood.query.tallies.bytes", this, TallyCache::bytes);
  }

  private TallyCache(Counter answered) {
    this.maxBytes = 0;
    this.answers = new SegmentAnswers<>(0);
    this.answered = answered;
  }

  /** One that keeps nothing, for segments that are others for each query. */
  TallyCache none() {
    return new TallyCache(answered);
  }

  /** The parts of a query that decide what is counted in a block that is in its range. */
  private record Count(Sought sought, Detail detail, Grouping grouping) {
    static Count by(Query query) {
      return new Count(Sought.by(query), query.detail(), query.grouping());
    }

    long bytes() {
      return sought.bytes()
          + 2 * grouping.by().stream().mapToLong(field -> field.text().length()).sum();
    }
  }

  private static final class OfSegment {
    final @Nullable BlockHits[] byOrdinal;
    long bytes;

    OfSegment(int blocks) {
      this.byOrdinal = new BlockHits[blocks];
      this.bytes = SEGMENT_BYTES + (long) blocks * Long.BYTES;
    }
  }

  /** The cache for a query. */
  ForQuery of(Query query) {
    return new ForQuery(query, maxBytes > 0 && isKept(query) ? count(Count.by(query)) : null);
  }

  private static boolean isKept(Query query) {
    boolean isKept = query.detail() == Detail.LEVELS || query.detail().countsFields();
    return isKept && query.selection().isAll() && query.subMatches().isEmpty();
  }

  /** For one query, and all threads that scan for it. */
  final class ForQuery {
    private final Query query;
    private final @Nullable ToQuestion<OfSegment> count;

    private ForQuery(Query query, @Nullable ToQuestion<OfSegment> count) {
      this.query = query;
      this.count = count;
    }

    /** The count of a block, as an earlier query noted it. */
    Optional<BlockHits> find(BlockRef ref) {
      return count != null && isWhole(ref)
          ? Optional.ofNullable(TallyCache.this.find(count, ref))
          : Optional.empty();
    }

    /** Notes what was counted in a block without damage. */
    void note(BlockRef ref, BlockHits hits) {
      if (count != null && isWhole(ref)) {
        TallyCache.this.note(count, ref, hits);
      }
    }

    /** Whether all of it is counted, and it stays as it is. */
    private boolean isWhole(BlockRef ref) {
      return ref.info().isPacked() && query.range().contains(ref.info().range());
    }
  }

  private synchronized ToQuestion<OfSegment> count(Count of) {
    ToQuestion<OfSegment> known = answers.to(of, of.bytes());
    long held = of.bytes() + known.bySegment.values().stream().mapToLong(it -> it.bytes).sum();
    answers.grow(known, held - known.bytes()); // Less than before if segments are gone.
    return known;
  }

  private synchronized @Nullable BlockHits find(ToQuestion<OfSegment> count, BlockRef ref) {
    OfSegment known = count.bySegment.get(ref.segment());
    BlockHits hits = known == null ? null : known.byOrdinal[ref.info().ordinal()];
    if (hits != null) {
      answered.increment();
    }
    return hits;
  }

  private synchronized void note(ToQuestion<OfSegment> count, BlockRef ref, BlockHits hits) {
    long more = bytes(hits);
    if (count.isForgotten() || more > MAX_BLOCK_BYTES || count.bytes() + more > maxBytes / 2) {
      return;
    }
    OfSegment known = count.bySegment.get(ref.segment());
    if (known == null) {
      known = new OfSegment(ref.segment().totals().blocks());
      count.bySegment.put(ref.segment(), known);
      more += known.bytes;
    }
    int ordinal = ref.info().ordinal();
    if (known.byOrdinal[ordinal] == null) {
      known.byOrdinal[ordinal] = hits;
      known.bytes += bytes(hits);
      answers.grow(count, more);
    }
  }

  private static long bytes(BlockHits hits) {
    long bytes = BLOCK_BYTES;
    Labels last = Labels.NONE;
    for (BlockHits.Group group : hits.groups()) {
      bytes += BATCH_BYTES + hits.bytes(group) + (long) group.size() * Integer.BYTES;
      bytes += group.labels().equals(last) ? 0 : BatchIndex.heldBytes(group.labels());
      last = group.labels();
    }
    return bytes;
  }

  private synchronized long bytes() {
    return answers.bytes();
  }
}
