package io.cordwood.ingest.sender;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;

/** Makes batches of what a connection received, and stores them. For the connection's loop. */
interface RecordReader {
  /**
   * Stores all that is whole.
   *
   * @param ended whether nothing more will come: what is not whole will never be
   * @return false if the writer takes nothing now: to be called again, with the same bytes first,
   *     when it does
   * @throws RefusedException if the bytes are not what they must be; all before was stored
   */
  boolean store(ReceivedBytes received, boolean ended) throws RefusedException;

  /** Counts all that is left, and what the writer did not take, as rejected; lets go of it. */
  void reject(ReceivedBytes received, RejectReason reason);
}
