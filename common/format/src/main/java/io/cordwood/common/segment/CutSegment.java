package io.cordwood.common.segment;

import io.cordwood.common.segment.LeftOut.Extent;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A segment as it would be without some records. Blocks of which nothing is left are not there;
 * what is left of the others is counted by the segment's list of batches, if it has one, and else
 * by reading them. Its filter is that of the whole segment.
 */
public final class CutSegment implements Segment {
  private final Segment whole;
  private final LeftOut leftOut;
  private volatile @Nullable List<Part> parts;

  /**
   * A block of which something is left.
   *
   * @param rest of it, as it is given out
   */
  private record Part(BlockInfo whole, BlockInfo rest, boolean isCut) {}

  private CutSegment(Segment whole, LeftOut leftOut) {
    this.whole = whole;
    this.leftOut = leftOut;
  }

  /** The rest of a segment: the segment itself, if that is all of it. */
  public static Segment of(Segment whole, LeftOut leftOut) {
    if (!leftOut.touches(whole.range())) {
      return whole;
    }
    var cut = new CutSegment(whole, leftOut);
    try {
      List<Part> parts = cut.parts();
      boolean isWhole = parts.size() == whole.blocks().size();
      return isWhole && parts.stream().noneMatch(Part::isCut) ? whole : cut;
    } catch (IOException e) {
      return cut; // Whoever reads its blocks is told.
    }
  }

  private List<Part> parts() throws IOException {
    List<Part> known = parts;
    if (known != null) {
      return known;
    }
    try (var counting = new Counting()) {
      List<Part> found = counting.parts();
      parts = found;
      return found;
    }
  }

  /** Finds out what is left. */
  private final class Counting implements AutoCloseable {
    private @Nullable BlockDecoder decoder;
    private Optional<BatchLists> lists = Optional.empty();
    private boolean triedLists;

    List<Part> parts() throws IOException {
      List<Part> found = new ArrayList<>();
      for (BlockInfo block : whole.blocks()) {
        switch (leftOut.of(block.topic(), block.range())) {
          case NONE -> found.add(new Part(block, block.numbered(found.size()), false));
          case SOME -> {
            Part part = part(block, found.size());
            if (part != null) {
              found.add(part);
            }
          }
          case ALL -> {}
        }
      }
      return List.copyOf(found);
    }

    private @Nullable Part part(BlockInfo block, int ordinal) {
      try {
        List<BatchInfo> batches = batches(block);
        if (batches.isEmpty()) {
          return null;
        }
        boolean isWhole = batches.stream().mapToInt(BatchInfo::records).sum() == block.records();
        return isWhole
            ? new Part(block, block.numbered(ordinal), false)
            : new Part(block, rest(block, ordinal, batches), true);
      } catch (IOException e) {
        // Whoever reads it finds the damage; until then it counts as all of it.
        return new Part(block, block.numbered(ordinal), true);
      }
    }

    /** Those that are left. */
    private List<BatchInfo> batches(BlockInfo block) throws IOException {
      Optional<List<BatchInfo>> listed = listed(block);
      if (listed.isPresent()) {
        return listed.get();
      }
      BlockDecoder reading = decoder == null ? new BlockDecoder() : decoder;
      decoder = reading;
      List<BatchInfo> left = new ArrayList<>();
      for (Batch batch : whole.read(block, reading).toBatches()) {
        batch.without(leftOut).forEach(it -> left.add(BatchInfo.of(it)));
      }
      return left;
    }

    /** Empty if there is no list, or if it does not say how large the rest of a batch is. */
    private Optional<List<BatchInfo>> listed(BlockInfo block) throws IOException {
      if (!triedLists) {
        triedLists = true;
        lists = whole.lists();
      }
      if (lists.isEmpty()) {
        return Optional.empty();
      }
      List<BatchInfo> left = new ArrayList<>();
      for (BatchInfo batch : lists.get().of(block)) {
        Extent gone = leftOut.of(batch.topic(), UlidRange.of(batch.first(), batch.records()));
        if (gone == Extent.SOME) {
          return Optional.empty();
        }
        if (gone == Extent.NONE) {
          left.add(batch);
        }
      }
      return Optional.of(left);
    }

    private static BlockInfo rest(BlockInfo block, int ordinal, List<BatchInfo> batches) {
      UlidRange range = range(batches.getFirst());
      int records = 0;
      int bytes = 0;
      for (BatchInfo batch : batches) {
        range = range.union(range(batch));
        records += batch.records();
        bytes += batch.bytes();
      }
      return new BlockInfo(
          ordinal, block.topic(), range, block.offset(), bytes, bytes, batches.size(), records, 0);
    }

    private static UlidRange range(BatchInfo batch) {
      return UlidRange.of(batch.first(), batch.records());
    }

    @Override
    public void close() {
      if (decoder != null) {
        decoder.close();
      }
    }
  }

  /** That of the whole segment. */
  @Override
  public UlidRange range() {
    return whole.range();
  }

  @Override
  public List<BlockInfo> blocks() throws IOException {
    return parts().stream().map(Part::rest).toList();
  }

  /** Those of the whole segment, if what is left cannot be found out. */
  @Override
  public SegmentTotals totals() {
    try {
      return SegmentTotals.of(blocks());
    } catch (IOException e) {
      return whole.totals();
    }
  }

  @Override
  public boolean isUnconsumed() {
    return whole.isUnconsumed();
  }

  @Override
  public BitSet candidates(List<AnyOf> required) throws IOException {
    BitSet inWhole = whole.candidates(required);
    var left = new BitSet();
    for (Part part : parts()) {
      left.set(part.rest.ordinal(), inWhole.get(part.whole.ordinal()));
    }
    return left;
  }

  @Override
  public Optional<FirstForm> firstForm(BlockInfo block) throws IOException {
    Part part = part(block);
    return part.isCut ? Optional.empty() : whole.firstForm(part.whole);
  }

  @Override
  public void willRead(List<BlockInfo> blocks) {
    List<Part> known = parts;
    if (known != null) {
      whole.willRead(blocks.stream().map(it -> known.get(it.ordinal()).whole).toList());
    }
  }

  @Override
  public void willReadSoon(BlockInfo block) {
    List<Part> known = parts;
    if (known != null) {
      whole.willReadSoon(known.get(block.ordinal()).whole);
    }
  }

  @Override
  public Block read(BlockInfo block, BlockDecoder decoder) throws IOException {
    Part part = part(block);
    Block read = whole.read(part.whole, decoder);
    return part.isCut ? read.without(leftOut).orElseThrow(() -> empty(part)) : read;
  }

  /** Only its list of batches has said that there is something. */
  private static CorruptException empty(Part part) {
    return new CorruptException(
        part.whole.offset(), "expected records beside those that are deleted, found none");
  }

  private Part part(BlockInfo block) throws IOException {
    return parts().get(block.ordinal());
  }
}
