package io.cordwood.common.cold;

import io.cordwood.common.ulid.UlidRange;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The lists that were made a moment ago, which need not be made again. For all threads. */
final class RecentLists {
  private static final int MOST = 64;

  private final Duration fresh;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private volatile List<Listed> lists = List.of();

  /**
   * A list of whole days.
   *
   * @param nanos when it began
   * @param time the same by the clock, which goes on while the machine sleeps
   * @param place that was listed, if it has a mark
   * @param unread manifests of these days
   */
  record Listed(
      UlidRange days,
      long nanos,
      Instant time,
      Optional<BucketPlace> place,
      List<UnreadManifest> unread) {}

  RecentLists(Duration fresh, InstantSource clock, LongSupplier nanoTime) {
    this.fresh = fresh;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** One that has all of these days, and is fresh. */
  Optional<Listed> of(UlidRange days) {
    return lists.stream().filter(it -> it.days.contains(days) && isFresh(it)).findFirst();
  }

  private boolean isFresh(Listed it) {
    Duration passed = Duration.between(it.time, clock.instant());
    return nanoTime.getAsLong() - it.nanos < fresh.toNanos() && passed.abs().compareTo(fresh) < 0;
  }

  /** Takes note of one, unless the next may say more of manifests; one thread at a time. */
  void add(Listed list) {
    if (list.unread.stream().anyMatch(UnreadManifest::isPassing)) {
      return;
    }
    List<Listed> next = new ArrayList<>();
    for (Listed it : lists) {
      if (isFresh(it) && !list.days.contains(it.days)) {
        next.add(it);
      }
    }
    next.add(list);
    lists = List.copyOf(next.subList(Math.max(0, next.size() - MOST), next.size()));
  }
}
