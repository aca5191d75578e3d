package io.cordwood.query.gather;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;
import io.cordwood.query.result.BatchId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many stores gave each batch of an answer. Batches come in order, those of one id in a
 * row. For the query's own thread.
 */
final class CopyCount {
  /** The number of ranges that are remembered; others are only counted. */
  static final int MAX_RANGES = 64;

  private final int wanted;
  private final List<TooFew> ranges = new ArrayList<>();
  private @Nullable BatchId current;
  private String holder = "";
  private int copies;
  private boolean extendsLast;
  private long batches;

  /**
   * Batches, next to each other in the answer, that are on too few stores.
   *
   * @param holder of those that gave them, the one with the least id: it is to make the copies
   */
  record TooFew(String holder, UlidRange firstUlids) {}

  /**
   * @param wanted number of stores that should give each batch
   */
  CopyCount(int wanted) {
    this.wanted = wanted;
  }

  /** One node's tier gave a batch. */
  void seen(BatchId id, PartialResult.Holder from) {
    if (!id.equals(current)) {
      settle();
      current = id;
    }
    if (from.tier() == Tier.STORE) {
      holder = copies == 0 || from.nodeId().compareTo(holder) < 0 ? from.nodeId() : holder;
      copies++;
    }
  }

  /** All of the current batch were seen. What no store gave is not consumed yet. */
  void settle() {
    boolean few = copies > 0 && copies < wanted;
    if (few && current != null) {
      batches++;
      add(new UlidRange(current.first(), current.first()));
    }
    extendsLast = few;
    copies = 0;
  }

  private void add(UlidRange batch) {
    if (extendsLast && !ranges.isEmpty() && ranges.getLast().holder.equals(holder)) {
      TooFew last = ranges.removeLast();
      ranges.add(new TooFew(holder, last.firstUlids.union(batch)));
    } else if (ranges.size() < MAX_RANGES) {
      ranges.add(new TooFew(holder, batch));
    }
  }

  /** The ranges with too few copies, of all that is settled. */
  List<TooFew> tooFew() {
    return List.copyOf(ranges);
  }

  /** How many settled batches too few stores gave. */
  long batches() {
    return batches;
  }
}
