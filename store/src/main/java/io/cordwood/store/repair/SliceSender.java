package io.cordwood.store.repair;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.DiskPace;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends some batches of this store to other stores, as segments of their own. One thread; memory:
 * that of an {@link SegmentBuilder}.
 */
final class SliceSender {
  private final StoreLog log;
  private final CopyAbility ability;
  private final long targetBytes;
  private final DiskPace pace;
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
   * @param targetBytes of payload at which a segment is sent and the next one begun, or at less if
   *     the disk has little room
   * @param wanted batches, in order
   */
  SliceSender(
      StoreLog log,
      CopyAbility ability,
      long targetBytes,
      DiskPace pace,
      List<BatchInfo> wanted,
      Sender sender) {
    this.log = log;
    this.ability = ability;
    this.targetBytes = targetBytes;
    this.pace = pace;
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
    var writer = new SegmentWriter();
    try {
      BatchSelection.in(range).run(segments, this::mayHoldWanted, writer::offer);
      writer.send();
      return copied;
    } finally {
      writer.close();
    }
  }

  private boolean mayHoldWanted(BlockInfo block) {
    var from = new BatchInfo(block.topic(), block.range().from(), 0, 0);
    int found = Collections.binarySearch(wanted, from);
    int at = found >= 0 ? found : -found - 1;
    return at < wanted.size()
        && wanted.get(at).topic().equals(block.topic())
        && block.range().contains(wanted.get(at).first());
  }

  private boolean isWanted(BatchInfo batch) {
    while (next < wanted.size() && wanted.get(next).compareTo(batch) < 0) {
      next++;
    }
    return next < wanted.size() && wanted.get(next).compareTo(batch) == 0;
  }

  /** The segment that is being written, if one is. */
  private final class SegmentWriter implements AutoCloseable {
    private @Nullable SegmentBuilder active;
    private long mostBytes;
    private long batches;

    void offer(Batch batch) throws IOException {
      pace.add(batch.payload().remaining());
      if (!isWanted(BatchInfo.of(batch))) {
        return;
      }
      if (append(batch)) {
        send();
      }
    }

    /** Whether the segment is to be sent. */
    private boolean append(Batch batch) throws IOException {
      try {
        SegmentBuilder part = active != null ? active : begin();
        part.append(batch);
        batches++;
        return part.payloadBytes() >= mostBytes || part.isFull();
      } catch (IOException e) {
        ability.failed();
        throw e;
      }
    }

    private SegmentBuilder begin() throws IOException {
      long room = ability.roomBytes();
      if (room == 0) {
        throw new IOException(log.folder().path() + ": no room for what is to be copied");
      }
      mostBytes = Math.min(targetBytes, room);
      active = log.newActive();
      return active;
    }

    private SegmentBuilder.Flushed flush(SegmentBuilder part) throws IOException {
      try {
        return part.flush();
      } catch (IOException e) {
        ability.failed();
        throw e;
      }
    }

    void send() throws IOException {
      if (active == null) {
        return;
      }
      try (TransferSegment segment = TransferSegment.of(log, flush(active))) {
        ability.succeeded();
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
