package io.cordwood.cli.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a rule, one after the other. They end at multiples of {@code every}, so a restart
 * neither moves nor repeats one. After a start up to {@link #MAX_CAUGHT_UP} that were missed are
 * counted; later, only the newest, so that a slow rule or a clock that jumps forward makes no
 * queue. A clock that is set back a little waits for the last window to pass; one that is set back
 * further begins anew. One thread.
 */
final class Schedule {
  /** The most windows that are counted late, after a start. */
  static final int MAX_CAUGHT_UP = 5;

  /** A clock that is set back by more begins anew. */
  static final Duration TOLERATED_STEP = Duration.ofMinutes(5);

  private final long everyMillis;
  private final Duration delay;
  private @Nullable Instant last;
  private boolean begun;

  /**
   * @param last the end of the last window before this process; null for none
   */
  Schedule(Rule.Timing timing, @Nullable Instant last) {
    this.everyMillis = timing.every().toMillis();
    this.delay = timing.delay();
    this.last = last;
  }

  /**
   * Windows to count now.
   *
   * @param ends their ends, the oldest first
   * @param skipped how many before them are never counted
   */
  record Due(List<Instant> ends, long skipped) {
    static final Due NOTHING = new Due(List.of(), 0);
  }

  /** Takes the windows that are due. */
  Due take(Instant now) {
    long newest = Math.floorDiv(now.minus(delay).toEpochMilli(), everyMillis);
    if (last == null || isSetBack(now)) {
      return take(newest, newest, 0);
    }
    long next = Math.floorDiv(last.toEpochMilli(), everyMillis) + 1;
    if (next > newest) {
      begun = true;
      return Due.NOTHING;
    }
    long first = Math.max(next, begun ? newest : newest - MAX_CAUGHT_UP + 1);
    return take(first, newest, first - next);
  }

  private boolean isSetBack(Instant now) {
    return last != null && last.isAfter(now.minus(delay).plus(TOLERATED_STEP));
  }

  private Due take(long first, long newest, long skipped) {
    List<Instant> ends = new ArrayList<>();
    for (long window = first; window <= newest; window++) {
      ends.add(Instant.ofEpochMilli(window * everyMillis));
    }
    last = ends.getLast();
    begun = true;
    return new Due(ends, skipped);
  }
}
