package io.cordwood.ingest.sender;

import io.cordwood.ingest.OpenConnections;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * How much is read from a connection at once: the more there are, the less. While the disk takes
 * nothing, every connection can have a buffer that was read and cannot be stored, so all of these
 * together have a bound.
 */
final class ReceiveSizes extends DefaultMaxMessagesRecvByteBufAllocator {
  /** The bytes of all connections together, unless their number leaves each with the least. */
  private static final int ALL_BYTES = 16 << 20;

  private static final int MOST_BYTES = SenderConnection.COALESCE_BYTES;
  private static final int LEAST_BYTES = 4 << 10;
  private static final int READS_IN_A_ROW = 4;

  private final OpenConnections connections;

  ReceiveSizes(OpenConnections connections) {
    super(READS_IN_A_ROW);
    this.connections = connections;
  }

  private int bytes() {
    int share = Integer.highestOneBit(ALL_BYTES / Math.max(1, connections.count()));
    return Math.clamp(share, LEAST_BYTES, MOST_BYTES);
  }

  @Override
  @SuppressWarnings("deprecation") // There is no other method for it.
  public Handle newHandle() {
    return new MaxMessageHandle() {
      @Override
      public int guess() {
        return bytes();
      }
    };
  }
}
