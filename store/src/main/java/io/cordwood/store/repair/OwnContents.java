package io.cordwood.store.repair;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.DiskPace;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentMerge;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The contents of the segments of this store. */
final class OwnContents implements Contents {
  private static final Duration LONGEST_UPDATE = Duration.ofSeconds(30);

  private final OwnSlices own;
  private final long targetBytes;
  private final DiskPace pace;

  OwnContents(OwnSlices own, StoreOptions options, StopFlag stop) {
    this.own = own;
    this.targetBytes = options.gathering().targetBytes();
    this.pace = new DiskPace(options.repair().repairBytesPerSecond(), stop);
  }

  @Override
  public void update(Instant settled) throws InterruptedIOException {
    own.fingerprints().update(settled, LONGEST_UPDATE);
  }

  @Override
  public SliceTable table() {
    return own.table();
  }

  @Override
  public void with(UlidRange range, Work work) throws IOException {
    own.with(range, segments -> work.run(new HeldSegmentsOf(range, segments)));
  }

  private final class HeldSegmentsOf implements Held {
    private final UlidRange range;
    private final List<LiveSegment> segments;

    HeldSegmentsOf(UlidRange range, List<LiveSegment> segments) {
      this.range = range;
      this.segments = segments;
    }

    @Override
    public UlidRange range() {
      return range;
    }

    @Override
    public void list(SegmentMerge.Sink<BatchInfo> sink) throws IOException {
      BatchSelection.in(range).list(segments, sink);
    }

    @Override
    public long copy(List<BatchInfo> wanted, Taker taker) throws IOException {
      return new SliceSender(
              own.log(),
              own.ability(),
              targetBytes,
              pace,
              wanted,
              segment -> taker.take(segment.path(), segment.fileBytes()))
          .run(segments, range);
    }
  }
}
