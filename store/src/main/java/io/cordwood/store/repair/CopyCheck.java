package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds whether every batch of a range that any store holds, this one or another, is on as many as
 * it should be. The lists of all are gone through side by side; memory: a buffer for each. One
 * thread.
 */
final class CopyCheck {
  private final int copies;
  private final List<StorePeer> peers;
  private final Predicate<BatchInfo> isKept;
  private boolean whole = true;

  /**
   * @param copies that there should be of each batch
   * @param peers all other stores that there are
   * @param isKept whether a batch is not due to go, so that its copies matter
   */
  CopyCheck(int copies, List<StorePeer> peers, Predicate<BatchInfo> isKept) {
    this.copies = copies;
    this.peers = peers;
    this.isKept = isKept;
  }

  /**
   * Looks at all of them, or until one lacks a copy.
   *
   * @throws IOException if some store, this one too, does not tell what it holds
   */
  boolean run(Holdings others, Contents.Held held) throws IOException {
    try (var lists = PeerBatches.open(others, peers, held.range())) {
      held.list(batch -> {
        checkBefore(batch, lists);
        if (whole) {
          check(batch, 1, lists);
        }
      });
      checkBefore(null, lists);
      return whole;
    }
  }

  /**
   * Looks at those that are on other stores alone.
   *
   * @param end before which; null for all
   */
  private void checkBefore(@Nullable BatchInfo end, PeerBatches lists) throws IOException {
    BatchInfo next = lists.first();
    while (whole && next != null && (end == null || next.compareTo(end) < 0)) {
      check(next, 0, lists);
      next = lists.first();
    }
  }

  private void check(BatchInfo batch, int own, PeerBatches lists) throws IOException {
    int holders = own + lists.holders(batch).cardinality();
    lists.pass(batch);
    whole = holders >= copies || !isKept.test(batch);
  }
}
