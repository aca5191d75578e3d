package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The contents of other stores, as they say when they are asked. Calls block. Safe for all threads.
 */
interface Holdings {
  /**
   * The tables of other stores' slices, in the order of the stores, of those that tell.
   *
   * @param failed is told of the others, by this thread
   */
  Map<StorePeer, SliceTable> slices(
      List<StorePeer> peers, BiConsumer<StorePeer, IOException> failed);

  /** The batches that a store holds whose first ULID is in a range; to be closed. */
  Listing batches(StorePeer peer, UlidRange range) throws IOException;

  /** A list of batches, in order. One thread. */
  interface Listing extends AutoCloseable {
    /** The next one; null if there are no more. */
    @Nullable BatchInfo next() throws IOException;

    @Override
    void close();
  }
}
