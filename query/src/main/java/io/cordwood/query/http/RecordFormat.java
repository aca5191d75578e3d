package io.cordwood.query.http;

import io.cordwood.query.result.BlockHits;
import java.io.IOException;
import java.io.OutputStream;

/** How records are written to an answer. One for each answer; for the query's own thread. */
public interface RecordFormat {
  /** The media type of the whole answer. */
  String contentType();

  /** Whether {@link #write} needs the records' ULIDs. */
  boolean needsUlids();

  /** Writes the records {@code [from, to)} of a block's hits, which belong to one group. */
  void write(BlockHits hits, BlockHits.Group group, OutputStream out) throws IOException;

  /** Writes records that are there for others' sake: as context of those that match. */
  default void writeContext(BlockHits hits, BlockHits.Group group, OutputStream out)
      throws IOException {
    write(hits, group, out);
  }

  /**
   * To be called before each group of records that follow each other, if context is asked for.
   *
   * @param number from 1
   */
  default void beginGroup(int number, OutputStream out) throws IOException {}

  /** Writes the data after the records. */
  default void end(AnswerEnd end, OutputStream out) throws IOException {}
}
