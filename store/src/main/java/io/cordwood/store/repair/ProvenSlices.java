package io.cordwood.store.repair;

import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * From which time on all that a store holds has its copies: what the last comparison found, slice
 * by slice. Of slices that this or another store does not know yet, nothing is found; what was
 * proved of them before stands until they are compared again.
 *
 * @param own what this store holds
 * @param isYoung whether a slice is not old enough to be compared, and what it holds was replicated
 *     before it was committed
 * @param isKnown whether all stores know what they hold of a slice
 * @param isReplicated whether a slice was compared as it is, and has its copies
 * @param provenMillis from when on everything was found to have its copies before
 */
record ProvenSlices(
    SliceTable own,
    LongPredicate isYoung,
    LongPredicate isKnown,
    LongPredicate isReplicated,
    long provenMillis) {
  /** In milliseconds since 1970; {@link ReplicatedFrom#UNKNOWN} if not even the newest slice. */
  long fromMillis() {
    long from = ReplicatedFrom.UNKNOWN;
    for (long slice : held().descendingSet()) {
      if (!isProven(slice)) {
        return from;
      }
      from = Math.max(0, own.start(slice).toEpochMilli());
    }
    return 0;
  }

  private boolean isProven(long slice) {
    if (isYoung.test(slice)) {
      return true;
    }
    return isKnown.test(slice)
        ? isReplicated.test(slice)
        : own.start(slice).toEpochMilli() >= provenMillis;
  }

  /**
   * The slices that this store holds something of, and of each stretch that it does not know the
   * ends and where the proof begins: between those all are proved, or none.
   */
  private TreeSet<Long> held() {
    var slices = new TreeSet<>(own.slices().keySet());
    long proven = Math.ceilDiv(provenMillis, own.lengthMillis());
    for (SliceTable.Stretch stretch : own.unknown()) {
      slices.add(stretch.from());
      slices.add(stretch.to());
      if (stretch.contains(proven)) {
        slices.add(proven);
      }
    }
    return slices;
  }
}
