package io.cordwood.ingest.mode;

import io.cordwood.ingest.TopicCounters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * A batch of durable mode that is kept in memory until it was forced.
 *
 * @param bytes header and payload, a copy of its own; released by the loop
 * @param wireBytes of the connection that they came from
 * @param arrivedNanos on the clock of {@link System#nanoTime}
 */
record UnforcedBatch(
    BatchOutcomes outcomes,
    ByteBuf bytes,
    TopicCounters counters,
    int records,
    int wireBytes,
    long arrivedNanos) {
  static UnforcedBatch copyOf(StampedBatch batch, BatchOutcomes outcomes) {
    ByteBuf bytes = ByteBufAllocator.DEFAULT.directBuffer(Math.toIntExact(batch.fileBytes()));
    for (ByteBuffer part : batch.buffers()) {
      bytes.writeBytes(part.duplicate());
    }
    return new UnforcedBatch(
        outcomes, bytes, batch.account(), batch.records(), batch.wireBytes(), System.nanoTime());
  }

  void safe() {
    outcomes.safe(counters, records, wireBytes);
  }

  void lost() {
    outcomes.lost(counters, records, wireBytes);
  }

  int fileBytes() {
    return bytes.readableBytes();
  }

  /** For the committer's thread. */
  ByteBuffer buffer() {
    return bytes.nioBuffer();
  }
}
