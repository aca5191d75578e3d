package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The end of a store segment, from its second dictionary on: filter, index, list of batches and
 * footer. With it and the length of the file, everything can be known of a segment but the text of
 * its blocks. For all threads.
 */
public final class SegmentTail {
  private final ByteSource tail;
  private final int length;
  private final long fileBytes;
  private final SegmentFooter footer;

  private SegmentTail(ByteSource tail, int length, long fileBytes, SegmentFooter footer) {
    this.tail = tail;
    this.length = length;
    this.fileBytes = fileBytes;
    this.footer = footer;
  }

  /** The length that a segment's tail has. */
  public static int lengthOf(ByteSource segment) throws IOException {
    SegmentFooter footer = StoreSegment.readFooter(segment);
    return Math.toIntExact(segment.size() - start(footer));
  }

  private static long start(SegmentFooter footer) {
    return footer.filter().offset() - footer.dictionaryBytes();
  }

  /**
   * Takes a tail.
   *
   * @param bytes of it, not to be changed any more
   * @param fileBytes length of the whole segment
   * @throws CorruptException if they are no tail of a segment of that length
   */
  public static SegmentTail of(ByteBuffer bytes, long fileBytes) throws IOException {
    return of(ByteSource.of(bytes), bytes.remaining(), fileBytes);
  }

  /**
   * Takes a tail that is read when it is needed.
   *
   * @param tail not to be changed any more
   * @param length of the tail
   * @param fileBytes length of the whole segment
   * @throws CorruptException if it is no tail of a segment of that length
   */
  public static SegmentTail of(ByteSource tail, int length, long fileBytes) throws IOException {
    long at = fileBytes - SegmentFooter.BYTES;
    if (length < SegmentFooter.BYTES || length > fileBytes) {
      throw new CorruptException(
          fileBytes, "expected the tail of a segment, found %d bytes".formatted(length));
    }
    ByteBuffer copy = ByteBuffer.allocate(SegmentFooter.BYTES);
    tail.read(copy, length - SegmentFooter.BYTES);
    SegmentFooter footer = SegmentFooter.decode(copy.clear(), at, copy.getInt(4));
    if (start(footer) != fileBytes - length) {
      throw new CorruptException(
          at, "expected a tail of %d bytes, found %d".formatted(fileBytes - start(footer), length));
    }
    return new SegmentTail(tail, length, fileBytes, footer);
  }

  /** From the segment's first record to its last. */
  public UlidRange range() {
    return footer.range();
  }

  /**
   * The whole segment, as one that is opened without asking for anything but blocks.
   *
   * @param blocks is asked for bytes that are neither in the tail, nor known by it
   */
  public ByteSource over(ByteSource blocks) {
    return new Whole(blocks);
  }

  /** Header and first dictionary follow from the tail. */
  private final class Whole implements ByteSource {
    private final ByteSource blocks;
    private final ByteBuffer header = StoreSegmentHeader.encode(footer.version());
    private final long tailAt = fileBytes - length;
    private final long blocksAt = StoreSegmentHeader.BYTES + (long) footer.dictionaryBytes();

    Whole(ByteSource blocks) {
      this.blocks = blocks;
    }

    @Override
    public long size() {
      return fileBytes;
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      long end = position + target.remaining();
      if (position >= tailAt) {
        tail.read(target, position - tailAt);
      } else if (end <= StoreSegmentHeader.BYTES) {
        ByteSource.of(header).read(target, position);
      } else if (position >= StoreSegmentHeader.BYTES && end <= blocksAt) {
        tail.read(target, position - StoreSegmentHeader.BYTES);
      } else {
        blocks.read(target, position);
      }
    }
  }
}
