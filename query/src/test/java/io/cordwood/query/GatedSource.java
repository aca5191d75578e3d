package io.cordwood.query;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentTotals;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Blocks of one record each, in time order, as many as a test wants, which are read only when it
 * lets them; each looks as large as the portion that a thread scans at once. Beside them stand
 * blocks of another topic that are read at once.
 */
public final class GatedSource implements SegmentSource {
  static final Topic LARGE = new Topic("large");
  static final Topic SMALL = new Topic("small");
  public static final int BLOCK_BYTES = 512 << 10;
  public static final long FIRST_MILLIS = 1_700_000_000_000L;

  private final List<Segment> segments = new ArrayList<>();
  private final Semaphore permits = new Semaphore(0);
  private final AtomicInteger begun = new AtomicInteger();
  private volatile int first;
  private volatile boolean spoilt;

  /** The blocks' records are {@code record N}, a millisecond apart; one of the other topic. */
  public GatedSource(int blocks) throws IOException {
    this(blocks, 1);
  }

  /** The same, with so many of the other topic, {@code small N}. */
  public GatedSource(int blocks, int others) throws IOException {
    for (int i = 0; i < blocks; i++) {
      segments.add(new Gated(i, segment(LARGE, i, "record " + i)));
    }
    for (int i = 0; i < others; i++) {
      segments.add(segment(SMALL, i, "small " + i));
    }
  }

  /** As many blocks as is asked for, all with the same record. */
  public static GatedSource ofCopies(int blocks) throws IOException {
    var source = new GatedSource(1);
    source.segments.addAll(Collections.nCopies(blocks - 1, source.segments.getFirst()));
    return source;
  }

  private static StoreSegment segment(Topic topic, int millis, String record) throws IOException {
    Ulid ulid = Ulid.firstOf(FIRST_MILLIS + millis);
    Batch batch = Records.lines(topic, ulid, record);
    return StoreSegment.open(SegmentFiles.file(SegmentFiles.storeSegment(List.of(batch))));
  }

  /** Lets some blocks be read. */
  public GatedSource let(int blocks) {
    permits.release(blocks);
    return this;
  }

  /** Lets the first blocks be read, whatever is read beside them. */
  public GatedSource letFirst(int blocks) {
    first = blocks;
    return this;
  }

  /** Makes the first block unreadable. */
  public GatedSource spoilFirst() {
    spoilt = true;
    return this;
  }

  public GatedSource letAll() {
    return let(1 << 30);
  }

  /** Blocks of which reading was begun. */
  public int begun() {
    return begun.get();
  }

  @Override
  public View view(UlidRange range) {
    return new View() {
      @Override
      public List<Segment> segments() {
        return segments;
      }

      @Override
      public void close() {}
    };
  }

  private final class Gated implements Segment {
    private final int index;
    private final Segment real;

    Gated(int index, Segment real) {
      this.index = index;
      this.real = real;
    }

    @Override
    public UlidRange range() {
      return real.range();
    }

    @Override
    public SegmentTotals totals() {
      return new SegmentTotals(1, BLOCK_BYTES, real.totals().records(), false);
    }

    @Override
    public List<BlockInfo> blocks() throws IOException {
      BlockInfo block = real.blocks().getFirst();
      return List.of(
          new BlockInfo(
              block.ordinal(),
              block.topic(),
              block.range(),
              block.offset(),
              block.storedBytes(),
              BLOCK_BYTES,
              block.batches(),
              block.records(),
              0));
    }

    @Override
    public BitSet candidates(List<AnyOf> required) throws IOException {
      return real.candidates(required);
    }

    @Override
    public Block read(BlockInfo block, BlockDecoder decoder) throws IOException {
      begun.incrementAndGet();
      if (index == 0 && spoilt) {
        throw new IOException("spoilt by the test");
      }
      if (index >= first) {
        permits.acquireUninterruptibly();
      }
      return real.read(real.blocks().getFirst(), decoder);
    }
  }
}
