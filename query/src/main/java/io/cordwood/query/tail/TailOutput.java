package io.cordwood.query.tail;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.result.BlockHits;
import java.io.IOException;

/** Takes the records of a stream. For the stream's own thread, except where said. */
public interface TailOutput {
  /** Whether nobody reads any more. Cheap, and for any thread. */
  boolean isGone();

  /** The task is run when nobody reads any more; it does not block. */
  void whenGone(Runnable task);

  /** Nodes are followed; records come from now on. */
  void begin() throws IOException;

  /** Whether the reader is told from where to go on. */
  boolean tellsPosition();

  /**
   * Takes the records of a batch.
   *
   * @param position from where a reader goes on who gets no more, or not all of these
   */
  void records(BlockHits hits, BlockHits.Group group, Ulid position) throws IOException;

  /** Takes a line that is no record. */
  void notice(String text) throws IOException;

  /** That number of records did not fit into the memory for a reader that is too slow. */
  void dropped(long records) throws IOException;

  /** For some seconds nothing matched. */
  void alive() throws IOException;

  /** Sends what was taken so far. */
  void flush() throws IOException;

  /** Nothing more comes, since this node stops. */
  void stops() throws IOException;
}
