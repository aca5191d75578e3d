package io.cordwood.ingest.message;

import io.cordwood.common.wire.BatchHeader;
import org.jspecify.annotations.Nullable;

/** Finds where messages begin and end in what a connection sends. For one thread. */
public interface Framing {
  /** A message that has more is cut. */
  int MAX_BYTES = BatchHeader.MAX_RECORD_BYTES;

  /**
   * The next message.
   *
   * @param from where it begins; the same place of what was sent until one is found
   * @param ended whether nothing more will come, so that what is left is a message
   * @param longest if there are as many bytes and no end, they are one, cut
   * @return null if its end has not come yet
   */
  @Nullable Frame next(byte[] bytes, int from, int to, boolean ended, int longest);
}
