package io.cordwood.store.repair;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.RateLimiter;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.util.List;

/**
 * Sends some batches of this store to other stores, as segments of their own. One thread; memory:
 * that of an {@link SegmentBuilder}.
 */
final class SliceSender {
  /** The room left free on the disk, where segments stand until they are sent. */
  private static final long HEADROOM_BYTES = 256L << 20;

  private final StoreLog log;
  private final long targetBytes;
  private final RateLimiter rateLimiter;
  private final Sender sender;
  private final List<BatchInfo> wanted;
  private int next;
  private long copied;

  /** Makes a segment durable at other stores. */
  @FunctionalInterface
  interface Sender {
    void send(TransferSegment segment) throws IOException;
  }

  /**
   * @param targetBytes of payload at which a segment is sent and the next one begun
   * @param wanted batches, in order
   */
  SliceSender(
      StoreLog log,
      long targetBytes,
      RateLimiter rateLimiter,
      List<BatchInfo> wanted,
      Sender sender) {
    this.log = log;
    this.targetBytes = targetBytes;
    this.rateLimiter = rateLimiter;
    this.wanted = wanted;
    this.sender = sender;
  }

  /**
   * Sends them; when this returns, they are durable there.
   *
   * @param segments this store's own, held
   * @return batches that were found and sent
   */
  long run(List<LiveSegment> segments, UlidRange range) throws IOException {
    checkRoom();
    var writer = new SegmentWriter();
    try {
      BatchSelection.in(range).run(segments, writer::offer);
      writer.send();
      return copied;
    } finally {
      writer.close();
    }
  }

  private void checkRoom() throws IOException {
    long usable = log.folder().filesystem().usableBytes(log.folder().path());
    if (usable < targetBytes + HEADROOM_BYTES) {
      throw new IOException(
          "expected %d free bytes for what is to be copied, found %d"
              .formatted(targetBytes + HEADROOM_BYTES, usable));
    }
  }

  private boolean isWanted(BatchInfo batch) {
    while (next < wanted.size() && wanted.get(next).compareTo(batch) < 0) {
      next++;
    }
    return next < wanted.size() && wanted.get(next).compareTo(batch) == 0;
  }

  /** The segment that is being written, if one is. */
  private final class SegmentWriter implements AutoCloseable {
    private @org.jspecify.annotations.Nullable SegmentBuilder active;
    private long batches;

    void offer(Batch batch) throws IOException {
      rateLimiter.add(batch.payload().remaining());
      if (!isWanted(BatchInfo.of(batch))) {
        return;
      }
      SegmentBuilder part = active != null ? active : log.newActive();
      active = part;
      part.append(batch);
      batches++;
      if (part.payloadBytes() >= targetBytes || part.isFull()) {
        send();
      }
    }

    void send() throws IOException {
      if (active == null) {
        return;
      }
      try (TransferSegment segment = TransferSegment.of(log, active.flush())) {
        sender.send(segment);
      }
      copied += batches;
      batches = 0;
      close();
    }

    @Override
    public void close() throws IOException {
      if (active != null) {
        active.close();
        active = null;
      }
    }
  }
}
