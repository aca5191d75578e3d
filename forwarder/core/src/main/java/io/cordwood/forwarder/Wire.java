package io.cordwood.forwarder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The bytes of a connection, as they are or in TLS. Never blocks. Owned by the sender thread. */
interface Wire {
  /**
   * The most bytes of one write. The JDK copies all bytes of an array that it is given, before the
   * socket takes some of them.
   */
  int PART_BYTES = 128 << 10;

  /** Takes some bytes; how many. */
  int write(ByteBuffer bytes) throws IOException;

  /** Whether something that was taken is still to be sent, which the next {@link #write} does. */
  boolean hasPending();

  /** Gives some bytes; -1 when no more come. */
  int read(ByteBuffer bytes) throws IOException;

  /** Ends this side's half, after all that was taken. */
  void shutdownOutput() throws IOException;

  /** In plain text. */
  static Wire plain(SocketChannel channel) {
    return new Wire() {
      @Override
      public int write(ByteBuffer bytes) throws IOException {
        int before = bytes.position();
        int end = bytes.limit();
        boolean all = true;
        while (all && bytes.position() < end) {
          bytes.limit(Math.min(end, bytes.position() + PART_BYTES));
          try {
            channel.write(bytes);
          } finally {
            all = !bytes.hasRemaining();
            bytes.limit(end);
          }
        }
        return bytes.position() - before;
      }

      @Override
      public boolean hasPending() {
        return false;
      }

      @Override
      public int read(ByteBuffer bytes) throws IOException {
        return channel.read(bytes);
      }

      @Override
      public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
      }
    };
  }
}
