package io.cordwood.common.segment;

import io.cordwood.common.ulid.UlidRange;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open store segment: its index in memory, its blocks and its filter read by position when they
 * are asked for.
 *
 * <p>Safe for many threads. Counted: the opener holds it once, {@link #retain} adds a holder, and
 * the file is closed when the last one has released it, so that a query can finish on a segment
 * that was trashed meanwhile.
 */
public final class StoreSegment implements Segment {
  private final ByteSource source;
  private final Closeable file;
  private final UlidRange range;
  private final List<BlockInfo> blocks;
  private final Optional<BlockFilter> filter;
  private final long fileBytes;
  private final AtomicInteger holders = new AtomicInteger(1);

  private StoreSegment(
      ByteSource source,
      Closeable file,
      UlidRange range,
      List<BlockInfo> blocks,
      Optional<BlockFilter> filter,
      long fileBytes) {
    this.source = source;
    this.file = file;
    this.range = range;
    this.blocks = blocks;
    this.filter = filter;
    this.fileBytes = fileBytes;
  }

  /**
   * Opens a segment and checks its header, index, footer and the head of its filter; blocks and the
   * filter's pages are checked when they are read. The file belongs to the segment from now on,
   * unless this throws.
   *
   * @throws CorruptException if one of them is damaged; {@link SegmentSalvage} then finds the
   *     intact blocks
   */
  public static <S extends ByteSource & Closeable> StoreSegment open(S file) throws IOException {
    SegmentFooter footer = readFooter(file);
    var index = ByteBuffer.allocate((int) footer.indexBytes());
    file.read(index, footer.indexOffset());
    List<BlockInfo> blocks = SegmentIndex.decode(index.flip(), footer.indexOffset());
    checkLayout(blocks, footer);
    return new StoreSegment(
        file, file, footer.range(), blocks, filter(file, footer, blocks), file.size());
  }

  /** A segment of those blocks that a salvage found. */
  static <S extends ByteSource & Closeable> StoreSegment of(S file, List<BlockInfo> blocks)
      throws IOException {
    UlidRange range = blocks.stream().map(BlockInfo::range).reduce(UlidRange::union).orElseThrow();
    return new StoreSegment(file, file, range, List.copyOf(blocks), Optional.empty(), file.size());
  }

  private static Optional<BlockFilter> filter(
      ByteSource source, SegmentFooter footer, List<BlockInfo> blocks) throws IOException {
    if (footer.filterBytes() == 0) {
      return Optional.empty();
    }
    BlockFilter filter = BlockFilter.open(source, footer.filterOffset(), footer.filterBytes());
    if (filter.blocks() != blocks.size()) {
      throw new CorruptException(
          footer.filterOffset(),
          "expected a filter of %d blocks, found %d".formatted(blocks.size(), filter.blocks()));
    }
    return Optional.of(filter);
  }

  static SegmentFooter readFooter(ByteSource source) throws IOException {
    long size = source.size();
    long at = size - SegmentFooter.BYTES;
    if (at < StoreSegmentHeader.BYTES) {
      throw new CorruptException(
          size, "expected a store segment of at least 112 bytes, found " + size);
    }
    var header = ByteBuffer.allocate(StoreSegmentHeader.BYTES);
    source.read(header, 0);
    StoreSegmentHeader.check(header);
    var footer = ByteBuffer.allocate(SegmentFooter.BYTES);
    source.read(footer, at);
    return SegmentFooter.decode(footer, at);
  }

  private static void checkLayout(List<BlockInfo> blocks, SegmentFooter footer)
      throws CorruptException {
    long at = StoreSegmentHeader.BYTES;
    for (BlockInfo block : blocks) {
      if (block.offset() != at || block.storedBytes() <= 0) {
        throw new CorruptException(
            at, "expected block %d here, found %s".formatted(block.ordinal(), block));
      }
      at += block.storedBytes();
    }
    if (at != footer.filterOffset()) {
      throw new CorruptException(
          at, "expected the filter behind the blocks, found it at " + footer.filterOffset());
    }
  }

  @Override
  public UlidRange range() {
    return range;
  }

  /** In the order of the file. */
  @Override
  public List<BlockInfo> blocks() {
    return blocks;
  }

  ByteSource source() {
    return source;
  }

  /** Reads the whole filter, if there is one; how many of its pages are damaged. */
  int damagedFilterPages() throws IOException {
    return filter.isPresent() ? filter.get().damagedPages() : 0;
  }

  public long fileBytes() {
    return fileBytes;
  }

  public long records() {
    return blocks.stream().mapToLong(BlockInfo::records).sum();
  }

  @Override
  public BitSet candidates(List<AnyOf> required) throws IOException {
    if (filter.isPresent() && !required.isEmpty()) {
      return filter.get().candidates(required);
    }
    var all = new BitSet(blocks.size());
    all.set(0, blocks.size());
    return all;
  }

  @Override
  public OptionalInt checksum(BlockInfo block) throws IOException {
    var sum = ByteBuffer.allocate(Integer.BYTES);
    source.read(sum, block.offset() + BlockHeader.BODY_SUM_AT);
    return OptionalInt.of(sum.getInt(0));
  }

  @Override
  public Block read(BlockInfo block, BlockDecoder decoder) throws IOException {
    return decoder.read(source, block.offset(), block.storedBytes());
  }

  /** Adds a holder; false if the segment is closed already. */
  public boolean retain() {
    return holders.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
  }

  /** Gives up what opening or {@link #retain} gave; the last one closes the file. */
  public void release() {
    if (holders.decrementAndGet() == 0) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException("closing a store segment that was only read", e);
      }
    }
  }
}
