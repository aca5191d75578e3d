package io.cordwood.store.repair;

import io.cordwood.common.run.ChangeSignal;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.repair.RepairMetrics.Hint;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Time slices of which a query saw fewer copies than there should be, for repair's next look, which
 * they bring forward. Bounded; whatever is too much is dropped, since repair finds it by itself in
 * the end. For all threads; none waits but repair's.
 */
final class HintedSlices {
  /** Most slices that wait for repair: a week's. */
  static final int MAX_SLICES = 1024;

  private final long sliceMillis;
  private final Supplier<Instant> settled;
  private final RepairMetrics metrics;
  private final ChangeSignal changes = new ChangeSignal();
  private final Set<Long> slices = new LinkedHashSet<>();

  /**
   * @param settled the time before which records are old enough to be compared
   */
  HintedSlices(Duration slice, Supplier<Instant> settled, RepairMetrics metrics) {
    this.sliceMillis = slice.toMillis();
    this.settled = settled;
    this.metrics = metrics;
  }

  /** Takes a range of first ULIDs, some of whose batches too few stores seem to have. */
  void add(UlidRange range) {
    metrics.hinted(offer(range));
  }

  private Hint offer(UlidRange range) {
    long first = range.from().millis() / sliceMillis;
    long last = Math.min(range.to().millis() / sliceMillis, lastSettled());
    if (last < first) {
      return Hint.YOUNG;
    }
    Hint hint = add(first, last);
    changes.add();
    return hint;
  }

  private synchronized Hint add(long first, long last) {
    for (long slice = last; slice >= first; slice--) {
      if (slices.size() >= MAX_SLICES && !slices.contains(slice)) {
        return Hint.FULL;
      }
      slices.add(slice);
    }
    return Hint.TAKEN;
  }

  /** The last slice that is over and old enough. */
  private long lastSettled() {
    return Math.floorDiv(settled.get().toEpochMilli(), sliceMillis) - 1;
  }

  /** The slices that came since the last time, in the order in which they came. */
  synchronized Set<Long> take() {
    var taken = new LinkedHashSet<>(slices);
    slices.clear();
    return taken;
  }

  private synchronized boolean isEmpty() {
    return slices.isEmpty();
  }

  /** Waits until there are some, or this ends, or time is up. */
  void await(Duration longest) throws InterruptedException {
    long seen = changes.count();
    if (isEmpty()) {
      changes.await(seen, longest);
    }
  }

  /** Ends all waiting, for good. */
  void end() {
    changes.end();
  }
}
