package io.cordwood.query;

import java.io.IOException;
import java.io.OutputStream;

/** How records are written to an answer. One for each answer; for the query's own thread. */
interface RecordFormat {
  /** The media type of the whole answer. */
  String contentType();

  /** Whether {@link #write} needs the records' ULIDs. */
  boolean needsUlids();

  /** Writes the records {@code [from, to)} of a block's hits, which belong to one group. */
  void write(BlockHits hits, BlockHits.Group group, OutputStream out) throws IOException;

  /** Writes what comes behind the records. */
  default void end(AnswerEnd end, OutputStream out) throws IOException {}
}
