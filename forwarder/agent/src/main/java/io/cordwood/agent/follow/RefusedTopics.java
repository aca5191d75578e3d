package io.cordwood.agent.follow;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The topics that nodes refuse. Their files wait, while others are read. A refusal costs a
 * connection, so one topic is tried again at a time, after a pause that doubles for as long as none
 * is taken. Owned by the follower's thread.
 */
final class RefusedTopics {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final LongSupplier nanoTime;

  /** In the order in which they are tried. */
  private final Set<String> waiting = new LinkedHashSet<>();

  /** How often each was refused since it was taken. */
  private final Map<String, Integer> refusals = new HashMap<>();

  private long pauseNanos = FIRST_NANOS;
  private long nextNanos;

  RefusedTopics(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A batch of it was refused, after others perhaps. */
  void refused(String topic) {
    boolean isFirst = waiting.isEmpty();
    if (!waiting.add(topic)) {
      return;
    }
    boolean isAgain = refusals.merge(topic, 1, Integer::sum) > 1;
    if (isAgain) {
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_NANOS);
    }
    if (isAgain || isFirst) {
      nextNanos = nanoTime.getAsLong() + pauseNanos;
    }
  }

  /** A batch of it has arrived. */
  void taken(String topic) {
    if (refusals.remove(topic) != null) {
      pauseNanos = FIRST_NANOS;
      nextNanos = nanoTime.getAsLong();
    }
  }

  /**
   * The topic to be tried again now, which does not wait any more; null for none.
   *
   * @param isBack whether nothing of a topic is on its way
   */
  @Nullable String next(Predicate<String> isBack) {
    if (waiting.isEmpty() || nanoTime.getAsLong() - nextNanos < 0) {
      return null;
    }
    String next = waiting.stream().filter(isBack).findFirst().orElse(null);
    if (next != null) {
      waiting.remove(next);
      nextNanos = nanoTime.getAsLong() + pauseNanos;
    }
    return next;
  }

  boolean waits(String topic) {
    return waiting.contains(topic);
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
    return waiting.stream().allMatch(topic -> refusals.getOrDefault(topic, 0) >= times);
  }
}
