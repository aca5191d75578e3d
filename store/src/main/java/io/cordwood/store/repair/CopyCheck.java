package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.util.ArrayList;
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
  private final List<ListedBatches> lists = new ArrayList<>();
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
    try {
      for (StorePeer peer : peers) {
        lists.add(new ListedBatches(others.batches(peer, held.range())));
      }
      held.list(this::own);
      BatchInfo next = first();
      while (whole && next != null) {
        check(next, 0);
        next = first();
      }
      return whole;
    } finally {
      lists.forEach(ListedBatches::close);
    }
  }

  private void own(BatchInfo batch) throws IOException {
    BatchInfo next = first();
    while (whole && next != null && next.compareTo(batch) < 0) {
      check(next, 0);
      next = first();
    }
    if (whole) {
      check(batch, 1);
    }
  }

  /** The first batch of all lists; null if there are no more. */
  private @Nullable BatchInfo first() throws IOException {
    BatchInfo first = null;
    for (ListedBatches list : lists) {
      BatchInfo head = list.head();
      if (head != null && (first == null || head.compareTo(first) < 0)) {
        first = head;
      }
    }
    return first;
  }

  private void check(BatchInfo batch, int own) throws IOException {
    int holders = own;
    for (ListedBatches list : lists) {
      holders += list.holds(batch) ? 1 : 0;
      list.pass(batch);
    }
    whole = holders >= copies || !isKept.test(batch);
  }
}
