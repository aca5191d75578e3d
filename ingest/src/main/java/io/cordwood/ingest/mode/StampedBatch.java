package io.cordwood.ingest.mode;

import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.TopicCounters;
import java.nio.ByteBuffer;

/** The bytes of one write, and their totals: one or more batches of a topic. */
public final class StampedBatch {
  private final ByteBuffer[] buffers;
  private final TopicCounters counters;
  private final long fileBytes;
  private final int records;
  private final int wireBytes;

  /**
   * @param buffers headers and payloads; not copied
   * @param counters where they count as received already
   * @param records in them
   * @param wireBytes of the connection that they came from
   */
  public StampedBatch(ByteBuffer[] buffers, TopicCounters counters, int records, int wireBytes) {
    this.buffers = buffers;
    this.counters = counters;
    this.records = records;
    this.wireBytes = wireBytes;
    long bytes = 0;
    for (ByteBuffer buffer : buffers) {
      bytes += buffer.remaining();
    }
    this.fileBytes = bytes;
  }

  public static StampedBatch of(
      ByteBuffer header, ByteBuffer[] payload, TopicCounters counters, int records, int wireBytes) {
    ByteBuffer[] buffers = new ByteBuffer[payload.length + 1];
    buffers[0] = header;
    System.arraycopy(payload, 0, buffers, 1, payload.length);
    return new StampedBatch(buffers, counters, records, wireBytes);
  }

  ByteBuffer[] buffers() {
    return buffers;
  }

  TopicCounters account() {
    return counters;
  }

  long fileBytes() {
    return fileBytes;
  }

  public int records() {
    return records;
  }

  public int wireBytes() {
    return wireBytes;
  }

  /** Counts it as never to be stored. */
  public void reject(RejectReason reason) {
    counters.rejected(reason, records, wireBytes);
  }
}
