package io.cordwood.common.cold;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.BatchLists;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.FirstForm;
import io.cordwood.common.segment.GoneException;
import io.cordwood.common.segment.LabelSummary;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentTotals;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An object's segment as one query sees it. For all threads that work for the query. */
final class ColdPart implements Segment, AutoCloseable {
  private final ColdView view;
  private final ColdFetcher fetcher;
  private final ColdObject object;
  private final StoreSegment segment;
  private final boolean isEnding;
  private final ByteSource alone = new Alone();

  /** By the ordinals of the blocks that are going to be read. */
  private volatile Map<Integer, ColdRange> ranges = Map.of();

  private volatile ColdView.Reading reading = new ColdView.Reading(0, 0);

  /**
   * @param segment held for this, until it is closed
   */
  ColdPart(
      ColdView view,
      ColdFetcher fetcher,
      ColdObject object,
      StoreSegment segment,
      boolean isEnding) {
    this.view = view;
    this.fetcher = fetcher;
    this.object = object;
    this.segment = segment;
    this.isEnding = isEnding;
  }

  /** A step that reads. */
  @FunctionalInterface
  private interface Step<T> {
    T run() throws IOException;
  }

  private <T> T noted(UlidRange of, Step<T> step) throws IOException {
    try {
      return step.run();
    } catch (BucketException e) {
      if (isEnding && e.kind() == Kind.MISSING) {
        throw new GoneException(object.name() + ": deleted by the rule for it", e);
      }
      view.unread(of, e);
      throw e;
    } catch (CorruptException e) {
      view.damaged(object);
      view.unread(of, e);
      throw e;
    } catch (IOException | RuntimeException e) {
      view.unread(of, e);
      throw e;
    }
  }

  @Override
  public UlidRange range() {
    return segment.range();
  }

  @Override
  public List<BlockInfo> blocks() throws IOException {
    return noted(range(), segment::blocks);
  }

  @Override
  public SegmentTotals totals() {
    return segment.totals();
  }

  @Override
  public BitSet candidates(List<AnyOf> required) throws IOException {
    return noted(range(), () -> segment.candidates(required));
  }

  /** Not known without a request; so what overlaps is counted by being read. */
  @Override
  public Optional<FirstForm> firstForm(BlockInfo block) {
    return Optional.empty();
  }

  @Override
  public void willRead(List<BlockInfo> blocks) {
    Map<Integer, ColdRange> byBlock = new HashMap<>();
    List<JoinedBlocks> joined = JoinedBlocks.of(blocks);
    long bytes = 0;
    int at = 0;
    for (JoinedBlocks it : joined) {
      var range = new ColdRange(fetcher, object, it, view::request);
      for (int end = at + it.blocks(); at < end; at++) {
        byBlock.put(blocks.get(at).ordinal(), range);
      }
      bytes += it.bytes();
    }
    ranges = byBlock;
    reading = new ColdView.Reading(joined.size(), bytes);
  }

  ColdView.Reading reading() {
    return reading;
  }

  @Override
  public void willReadSoon(BlockInfo block) {
    ColdRange range = ranges.get(block.ordinal());
    if (range != null) {
      var _ = range.begin();
    }
  }

  @Override
  public Block read(BlockInfo block, BlockDecoder decoder) throws IOException {
    @Nullable ColdRange range = ranges.get(block.ordinal());
    try {
      return noted(block.range(), () -> read(block, decoder, range));
    } finally {
      if (range != null) {
        range.read();
      }
    }
  }

  private Block read(BlockInfo block, BlockDecoder decoder, @Nullable ColdRange range)
      throws IOException {
    Optional<ByteSource> joined = range == null ? Optional.empty() : range.bytes();
    if (range != null && joined.isEmpty()) {
      fetcher.countAlone();
    }
    Block read = segment.read(block, decoder, joined.orElse(alone));
    if (read.damagedBatches() > 0) {
      view.unread(
          block.range(),
          new IOException(read.damagedBatches() + " batches of a block are damaged"));
    }
    return read;
  }

  @Override
  public List<LabelSummary> labels() throws IOException {
    return noted(range(), segment::labels);
  }

  @Override
  public Optional<BatchLists> lists() throws IOException {
    return noted(range(), segment::lists);
  }

  @Override
  public void close() {
    ranges.values().forEach(ColdRange::close);
    segment.release();
  }

  /** The object, by a request for each read. */
  private final class Alone implements ByteSource {
    @Override
    public long size() {
      return object.bytes();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      fetcher.read(object, position, target, view::request);
    }
  }
}
