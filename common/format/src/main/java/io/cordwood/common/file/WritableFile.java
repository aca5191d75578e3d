package io.cordwood.common.file;

import java.io.IOException;
import java.nio.channels.GatheringByteChannel;

/** A file being appended to by one thread at a time. Closing does not force. */
public interface WritableFile extends GatheringByteChannel {
  /** Bytes written so far. */
  long size() throws IOException;

  /** Cuts off everything after the bytes written so far, in a file that is overwritten. */
  void cut() throws IOException;

  /**
   * Makes all bytes written so far durable. After an error here nothing is known of what is on the
   * disk: the file must not be forced again, only be closed.
   */
  void force() throws IOException;
}
