package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The batches of another store, gone through in order. Owns the list. One thread. */
final class ListedBatches implements AutoCloseable {
  private final Holdings.Listing list;
  private @Nullable BatchInfo head;
  private boolean begun;

  ListedBatches(Holdings.Listing list) {
    this.list = list;
  }

  /** The first one that was not gone past; null if there are no more. */
  @Nullable BatchInfo head() throws IOException {
    if (!begun) {
      begun = true;
      head = list.next();
    }
    return head;
  }

  /** Goes past all that come before a batch; whether it is in the list. */
  boolean holds(BatchInfo batch) throws IOException {
    BatchInfo next = head();
    while (next != null && next.compareTo(batch) < 0) {
      next = list.next();
    }
    head = next;
    return next != null && next.compareTo(batch) == 0;
  }

  /** Goes past a batch, if it is the first one. */
  void pass(BatchInfo batch) throws IOException {
    if (holds(batch)) {
      head = list.next();
    }
  }

  @Override
  public void close() {
    list.close();
  }
}
