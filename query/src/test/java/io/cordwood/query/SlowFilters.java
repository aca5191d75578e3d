package io.cordwood.query;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentTotals;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/** Segments that wait before their filters are read. */
public record SlowFilters(List<Segment> segments) implements SegmentSource.View {
  /** How each waits. */
  @FunctionalInterface
  public interface Wait {
    void run() throws InterruptedException;
  }

  public static SlowFilters of(List<? extends Segment> segments, Wait first) {
    return new SlowFilters(segments.stream().<Segment>map(real -> new Slow(real, first)).toList());
  }

  @Override
  public void close() {}

  /** Each its own, as segments are. */
  private static final class Slow implements Segment {
    private final Segment real;
    private final Wait first;

    Slow(Segment real, Wait first) {
      this.real = real;
      this.first = first;
    }

    @Override
    public UlidRange range() {
      return real.range();
    }

    @Override
    public List<BlockInfo> blocks() throws IOException {
      return real.blocks();
    }

    @Override
    public SegmentTotals totals() {
      return real.totals();
    }

    @Override
    public BitSet candidates(List<AnyOf> required) throws IOException {
      try {
        first.run();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return real.candidates(required);
    }

    @Override
    public Block read(BlockInfo block, BlockDecoder decoder) throws IOException {
      return real.read(block, decoder);
    }
  }
}
