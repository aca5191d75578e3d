package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.SegmentMerge;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The contents of this store, as repair compares and copies them. One thread. */
interface Contents {
  /**
   * Gets to know what it holds of the time before a moment, for a while.
   *
   * @throws InterruptedIOException if the store stops
   */
  void update(Instant settled) throws InterruptedIOException;

  /** The table as it is known now. */
  SliceTable table();

  /**
   * Does something with the batches whose first ULID is in a range, which are held meanwhile.
   *
   * @throws IOException of the work, or if something cannot be read
   */
  void with(UlidRange range, Work work) throws IOException;

  /** Something that is done with batches that are held. */
  @FunctionalInterface
  interface Work {
    void run(Held held) throws IOException;
  }

  /** The batches of a range, until the work ends. */
  interface Held {
    UlidRange range();

    /** Gives them in order, each once. */
    void list(SegmentMerge.Sink<BatchInfo> sink) throws IOException;

    /**
     * Makes files of some of them, one after the other.
     *
     * @param wanted in order
     * @return batches that were found and taken
     */
    long copy(List<BatchInfo> wanted, Taker taker) throws IOException;
  }

  /** Makes a file's batches durable elsewhere; the file goes when this returns. */
  @FunctionalInterface
  interface Taker {
    void take(Path file, long bytes) throws IOException;
  }
}
