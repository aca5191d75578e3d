package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The origins that nodes refuse, for the topic or the labels. Their files wait, while others are
 * read. A refusal costs a connection, so one origin is tried again at a time, after a pause that
 * doubles for as long as none is taken. Owned by the follower's thread.
 */
final class RefusedOrigins {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final LongSupplier nanoTime;

  /** In the order in which they are tried. */
  private final Set<Origin> waiting = new LinkedHashSet<>();

  /** How often each was refused since it was taken. */
  private final Map<Origin, Integer> refusals = new HashMap<>();

  private long pauseNanos = FIRST_NANOS;
  private long nextNanos;

  RefusedOrigins(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A batch of it was refused, after others perhaps. */
  void refused(Origin origin) {
    boolean isFirst = waiting.isEmpty();
    if (!waiting.add(origin)) {
      return;
    }
    boolean isAgain = refusals.merge(origin, 1, Integer::sum) > 1;
    if (isAgain) {
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_NANOS);
    }
    if (isAgain || isFirst) {
      nextNanos = nanoTime.getAsLong() + pauseNanos;
    }
  }

  /** A batch of it has arrived. */
  void taken(Origin origin) {
    if (refusals.remove(origin) != null) {
      pauseNanos = FIRST_NANOS;
      nextNanos = nanoTime.getAsLong();
    }
  }

  /**
   * The origin to be tried again now, which does not wait any more; null for none.
   *
   * @param isBack whether nothing of an origin is on its way
   */
  @Nullable Origin next(Predicate<Origin> isBack) {
    if (waiting.isEmpty() || nanoTime.getAsLong() - nextNanos < 0) {
      return null;
    }
    Origin next = waiting.stream().filter(isBack).findFirst().orElse(null);
    if (next != null) {
      waiting.remove(next);
      nextNanos = nanoTime.getAsLong() + pauseNanos;
    }
    return next;
  }

  boolean waits(Origin origin) {
    return waiting.contains(origin);
  }

  /** Whether what comes next of a file waits. */
  boolean waits(FollowedFile file) {
    return !waiting.isEmpty() && file.origins().stream().anyMatch(this::waits);
  }

  boolean areNone() {
    return waiting.isEmpty();
  }

  /** How many were refused when they were tried last. */
  int count() {
    return refusals.size();
  }

  /** Whether each that waits was refused at least that often, as by each of the targets. */
  boolean wereAllRefused(int times) {
    return waiting.stream().allMatch(origin -> refusals.getOrDefault(origin, 0) >= times);
  }
}
