package io.cordwood.forwarder;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time for stamps: this machine's, unless that is more than half a day off what a node has said
 * its own is; then the node's, taken on by a clock that does not jump. So a stamp is one that any
 * node keeps, and a batch that is sent again is known again. Any thread.
 */
final class NodeClock {
  /**
   * Nodes stamp anew what is a day off; between that and this there is room for their own error.
   */
  static final long MOST_OFF_MILLIS = TimeUnit.HOURS.toMillis(12);

  private final InstantSource wall;
  private volatile @Nullable Told told;
  private volatile boolean known;

  private record Told(long millis, long nanos) {}

  NodeClock(InstantSource wall) {
    this.wall = wall;
  }

  /**
   * A node has said what time it is.
   *
   * @return how far this machine's clock is ahead, in milliseconds; 0 if it is near enough
   */
  long tell(long millis) {
    told = new Told(millis, System.nanoTime());
    known = true;
    long ahead = wall.millis() - millis;
    return isOff(ahead) ? ahead : 0;
  }

  /** The nodes say no time. */
  void cannotBeTold() {
    known = true;
  }

  /** Whether a node was asked for its time, so that stamps are made by it from now on. */
  boolean isKnown() {
    return known;
  }

  /** The milliseconds to stamp with what has come at a moment. */
  long millis(OutgoingBatch.Moment moment) {
    Told last = told;
    if (last == null) {
      return moment.millis();
    }
    long sinceNanos = moment.nanos() - last.nanos;
    long byNode = last.millis + TimeUnit.NANOSECONDS.toMillis(sinceNanos);
    return isOff(moment.millis() - byNode) ? byNode : moment.millis();
  }

  /** The present, by {@link #millis}. */
  Instant instant() {
    return Instant.ofEpochMilli(millis(new OutgoingBatch.Moment(wall.millis(), System.nanoTime())));
  }

  /** Whether nodes would stamp anew, for being of the future. */
  boolean isFarAhead(long millis) {
    return told != null && millis - instant().toEpochMilli() > MOST_OFF_MILLIS;
  }

  static boolean isOff(long differenceMillis) {
    return Math.abs(differenceMillis) > MOST_OFF_MILLIS;
  }
}
