package io.cordwood.common.deletion;

import io.cordwood.common.segment.CutSegment;
import io.cordwood.common.segment.Segment;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which segments hold nothing that is deleted. It is found out again whenever other tombstones are
 * known. Safe for many threads.
 *
 * @param <K> stands for a segment
 */
public final class Untouched<K> {
  /** The sum of the tombstones for which that was found. */
  private final Map<K, Long> sums;

  private Untouched(Map<K, Long> sums) {
    this.sums = sums;
  }

  /** By the segments themselves; those that nobody has any more are forgotten. */
  public static Untouched<Segment> bySegment() {
    return new Untouched<>(Collections.synchronizedMap(new WeakHashMap<>()));
  }

  /** By names, which are kept until others alone are {@link #retain retained}. */
  public static <K> Untouched<K> byName() {
    return new Untouched<>(new ConcurrentHashMap<>());
  }

  /** Whether it was found that a segment holds nothing deleted; reads no file. */
  public boolean isKnown(K key, Tombstones deleted) {
    Long sum = sums.get(key);
    return sum != null && sum == deleted.sum();
  }

  /** A segment without what is deleted: the segment itself, if it holds nothing of that. */
  public Segment without(Tombstones deleted, K key, Segment segment) {
    if (isKnown(key, deleted)) {
      return segment;
    }
    Segment left = CutSegment.of(segment, deleted);
    if (left.equals(segment)) {
      sums.put(key, deleted.sum());
    }
    return left;
  }

  /** Forgets all others. */
  public void retain(Set<? extends K> keys) {
    sums.keySet().retainAll(keys);
  }
}
