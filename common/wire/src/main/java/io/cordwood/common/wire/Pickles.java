package io.cordwood.common.wire;

import io.cordwood.common.wire.ForeignBytesException.Kind;

/**
 * Records as SocketHandler of Python's logging sends them: a length of four bytes, and a dictionary
 * as pickle writes it. Who unpickles it runs what the sender likes.
 */
final class Pickles {
  /** The first byte of lengths below 16 MiB. */
  private static final byte LENGTH = 0;

  private static final int DICTIONARY = Integer.BYTES;
  private static final int LEAST_BYTES = DICTIONARY + 4;

  private Pickles() {}

  /** As {@link ForeignBytes#areUnpacked}. */
  static boolean isData(byte[] start, boolean ended) throws ForeignBytesException {
    if (start.length > 0 && start[0] != LENGTH) {
      return true;
    }
    if (start.length < LEAST_BYTES) {
      return ended;
    }
    if (isDictionary(start)) {
      throw new ForeignBytesException(
          Kind.PICKLED,
          "pickled records, as SocketHandler of Python's logging sends them: use SysLogHandler"
              + " with socktype=socket.SOCK_STREAM, or write lines");
    }
    return true;
  }

  /** A memorized empty one before what is in it, or the version of pickle before that. */
  private static boolean isDictionary(byte[] start) {
    byte first = start[DICTIONARY];
    byte second = start[DICTIONARY + 1];
    return first == '}'
        ? second == 'q' && start[DICTIONARY + 3] == '('
        : first == (byte) 0x80 && second >= 2 && second <= 5;
  }
}
