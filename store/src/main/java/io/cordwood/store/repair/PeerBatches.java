package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a range that each of some other stores has, gone through side by side. Memory: a
 * buffer for each store. One thread.
 */
final class PeerBatches implements AutoCloseable {
  private final List<ListedBatches> lists = new ArrayList<>();
  private final BitSet holders = new BitSet();

  private PeerBatches() {}

  /**
   * Asks all of them.
   *
   * @throws IOException if one does not tell what it holds
   */
  static PeerBatches open(Holdings others, List<StorePeer> peers, UlidRange range)
      throws IOException {
    var opened = new PeerBatches();
    try {
      for (StorePeer peer : peers) {
        opened.lists.add(new ListedBatches(others.batches(peer, range)));
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** The first batch of all lists that was not gone past; null if there are no more. */
  @Nullable BatchInfo first() throws IOException {
    BatchInfo first = null;
    for (ListedBatches list : lists) {
      BatchInfo head = list.head();
      if (head != null && (first == null || head.compareTo(first) < 0)) {
        first = head;
      }
    }
    return first;
  }

  /**
   * Goes past all that come before a batch; the stores that have it, by their places among those
   * that were asked. Valid until the next call.
   */
  BitSet holders(BatchInfo batch) throws IOException {
    holders.clear();
    for (int i = 0; i < lists.size(); i++) {
      holders.set(i, lists.get(i).holds(batch));
    }
    return holders;
  }

  /** Goes past a batch, if it is the first one of a list. */
  void pass(BatchInfo batch) throws IOException {
    for (ListedBatches list : lists) {
      list.pass(batch);
    }
  }

  @Override
  public void close() {
    lists.forEach(ListedBatches::close);
  }
}
