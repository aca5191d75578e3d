package io.cordwood.query.scan;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.Segment;
import io.cordwood.query.fields.LabelLiterals;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.SegmentAnswers.ToQuestion;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks hold no match of patterns that were searched for: segments never change, so that the
 * same pattern, asked again, in whatever range and form, reads neither these blocks again nor the
 * filters. What a filter let pass by mistake costs once.
 *
 * <p>Two bits a block; of patterns that nobody asked for lately, all is forgotten once there is no
 * room. A segment that is gone is still counted until its pattern is forgotten. Safe for many
 * threads.
 */
final class NegativeCache {
  private static final int SEGMENT_BYTES = 192;

  private final long maxBytes;
  private final Counter skipped;
  private final SegmentAnswers<Sought, OfSegment> answers;

  /**
   * @param maxBytes of memory, roughly; 0 for none
   */
  NegativeCache(long maxBytes, MeterRegistry meters) {
    this.maxBytes = maxBytes;
    this.answers = new SegmentAnswers<>(maxBytes);
    this.skipped = meters.counter("cordwood.query.misses.blocks");
    meters.gauge("cordwood.query.misses.bytes", this, NegativeCache::bytes);
  }

  private NegativeCache(Counter skipped) {
    this.maxBytes = 0;
    this.answers = new SegmentAnswers<>(0);
    this.skipped = skipped;
  }

  /** One that keeps nothing, for segments that are others for each query. */
  NegativeCache none() {
    return new NegativeCache(skipped);
  }

  /** Known misses of a segment: blocks, by their ordinals. */
  private static final class OfSegment {
    final BitSet misses = new BitSet();

    /** Those that the filter does not rule out; null as long as it was not asked. */
    @Nullable BitSet passed;
  }

  /** The cache for a query, which also notes what its filters say. */
  synchronized ForQuery of(Query query) {
    return new ForQuery(query, maxBytes == 0 ? new ToQuestion<>() : pattern(Sought.by(query)));
  }

  /** For the query's own thread. */
  final class ForQuery {
    private final List<AnyOf> required;
    private final ToQuestion<OfSegment> pattern;

    private ForQuery(Query query, ToQuestion<OfSegment> pattern) {
      List<AnyOf> ofRecords = query.takesOthers() ? List.of() : query.matcher().required();
      List<AnyOf> ofLabels = LabelLiterals.required(query.topics().labels());
      this.required = Stream.concat(ofRecords.stream(), ofLabels.stream()).toList();
      this.pattern = pattern;
    }

    /** The blocks of a segment that may hold a match. */
    BitSet candidates(Segment segment) throws IOException {
      @Nullable BitSet candidates = passedBefore(pattern, segment);
      if (candidates == null) {
        candidates = segment.candidates(required);
        if (!required.isEmpty()) {
          notePassed(pattern, segment, candidates);
        }
      }
      removeMisses(pattern, segment, candidates);
      return candidates;
    }
  }

  private synchronized @Nullable BitSet passedBefore(
      ToQuestion<OfSegment> pattern, Segment segment) {
    @Nullable OfSegment known = pattern.bySegment.get(segment);
    return known == null || known.passed == null ? null : (BitSet) known.passed.clone();
  }

  private synchronized void notePassed(
      ToQuestion<OfSegment> pattern, Segment segment, BitSet passed) {
    if (maxBytes > 0 && segment.totals().isPacked()) {
      segment(pattern, segment).passed = (BitSet) passed.clone();
    }
  }

  private synchronized void removeMisses(
      ToQuestion<OfSegment> pattern, Segment segment, BitSet candidates) {
    @Nullable OfSegment known = pattern.bySegment.get(segment);
    if (known != null) {
      int before = candidates.cardinality();
      candidates.andNot(known.misses);
      skipped.increment(before - candidates.cardinality());
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
        && query.subMatches().isEmpty()
        && !query.detail().isTally()
        && query.range().contains(ref.info().range());
  }

  private synchronized void add(Sought sought, BlockRef ref) {
    segment(pattern(sought), ref.segment()).misses.set(ref.info().ordinal());
  }

  private ToQuestion<OfSegment> pattern(Sought sought) {
    return answers.to(sought, sought.bytes());
  }

  private OfSegment segment(ToQuestion<OfSegment> pattern, Segment segment) {
    @Nullable OfSegment known = pattern.bySegment.get(segment);
    if (known != null) {
      return known;
    }
    var ofSegment = new OfSegment();
    pattern.bySegment.put(segment, ofSegment);
    answers.grow(pattern, SEGMENT_BYTES + 2L * segment.totals().blocks() / Byte.SIZE);
    return ofSegment;
  }

  private synchronized long bytes() {
    return answers.bytes();
  }
}
