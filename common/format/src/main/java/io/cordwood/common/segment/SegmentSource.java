package io.cordwood.common.segment;

import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The segments that a query can read at one moment. */
@FunctionalInterface
public interface SegmentSource {
  /**
   * A record is late that is received or written longer than this after its ULID's time. Late ones
   * are counted by the node that receives them.
   */
  Duration LATE = Duration.ofSeconds(10);

  /** The segments that overlap a range, kept readable until the view is closed. */
  View view(UlidRange range) throws IOException;

  /**
   * The time that a record would be stamped with if it arrived now; empty if this source receives
   * nothing. What is shown only after this question is stamped later, or no longer before than it
   * took to arrive and to be written: at most {@link #LATE}, or it is counted as late.
   */
  default Optional<Instant> stampTime() {
    return Optional.empty();
  }

  /** The arriving records; empty if this source receives nothing. */
  default Optional<ArrivalSource> arrivals() {
    return Optional.empty();
  }

  /**
   * A range of records that a source cannot give.
   *
   * @param range only records in it are lacking
   * @param reason for people
   */
  record Lack(UlidRange range, String reason) {
    /** Both. */
    public Lack and(Lack other) {
      return new Lack(range.union(other.range), reason + " and " + other.reason);
    }
  }

  /**
   * Records that a source let go of, since a bucket has them.
   *
   * @param range only records in it went
   * @param place the bucket's, as {@code BucketPlace} writes it; empty if it is not known
   */
  record Evicted(UlidRange range, String place) {
    /** The part of it that is in a range; empty if there is none. */
    public Optional<Evicted> in(UlidRange of) {
      return range.overlaps(of)
          ? Optional.of(new Evicted(range.since(of.from()).until(of.to()), place))
          : Optional.empty();
    }
  }

  /** Some segments, held. */
  interface View extends AutoCloseable {
    List<? extends Segment> segments();

    /**
     * The records that should be here and are not, as far as that is known; empty if nothing is
     * lacking.
     */
    default Optional<Lack> lack() {
      return Optional.empty();
    }

    /** The records that may be in a bucket alone, since this source had them and let them go. */
    default List<Evicted> evicted() {
      return List.of();
    }

    /** Releases the segments. */
    @Override
    void close();
  }
}
