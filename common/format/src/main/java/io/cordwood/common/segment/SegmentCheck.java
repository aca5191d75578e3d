package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Checks every checksum of a store segment, and that its index and its blocks say the same. Nothing
 * is decompressed. Holds a buffer of one block; one thread.
 */
public final class SegmentCheck {
  private ByteBuffer buffer = ByteBuffer.allocate(128 << 10);

  /**
   * Checks the blocks, the filter, the list of batches and the footer of an open segment; header,
   * index and the head of the filter were checked when it was opened.
   *
   * @throws CorruptException at the first damage
   */
  public void run(StoreSegment segment) throws IOException {
    for (BlockInfo block : segment.blocks()) {
      check(segment, block);
    }
    checkFilter(segment);
    SegmentFooter footer = checkFooter(segment);
    checkBatches(segment.source(), footer, segment.blocks());
    if (footer.dictionaryBytes() > 0) {
      var _ = SegmentDictionary.read(segment.source(), StoreSegmentHeader.BYTES);
      var _ =
          SegmentDictionary.read(
              segment.source(), footer.filter().offset() - footer.dictionaryBytes());
    }
  }

  /** Checks one block. */
  public void check(StoreSegment segment, BlockInfo info) throws IOException {
    ByteBuffer bytes = read(segment.source(), info);
    BlockHeader header = BlockHeader.parse(bytes, 0, info.offset());
    expect(header.blockBytes() == info.storedBytes(), info, header);
    Topic topic = header.checkHead(bytes, 0, info.offset());
    boolean same =
        topic.equals(info.topic())
            && header.range().equals(info.range())
            && header.rawBytes() == info.rawBytes()
            && header.batches() == info.batches()
            && header.records() == info.records()
            && (info.tableBytes() == 0 || header.tableBytes() == info.tableBytes());
    expect(same, info, header);
    int body = BlockHeader.BYTES + header.topicBytes();
    Checksums.check(
        bytes, body, header.storedBytes(), header.bodySum(), info.offset(), "a block's body");
  }

  private ByteBuffer read(ByteSource source, BlockInfo info) throws IOException {
    int length = info.storedBytes();
    if (length < BlockHeader.BYTES || length > BlockHeader.MAX_BYTES) {
      throw new CorruptException(
          info.offset(),
          "expected a block of %d to %d bytes, found %d"
              .formatted(BlockHeader.BYTES, BlockHeader.MAX_BYTES, length));
    }
    if (buffer.capacity() < length) {
      buffer = ByteBuffer.allocate(Math.min(2 * length, BlockHeader.MAX_BYTES));
    }
    source.read(buffer.clear().limit(length), info.offset());
    return buffer.flip();
  }

  private static void expect(boolean holds, BlockInfo info, BlockHeader header)
      throws CorruptException {
    if (!holds) {
      throw new CorruptException(
          info.offset(), "expected the index's %s, found %s".formatted(info, header));
    }
  }

  /** Checks all of a filter as it stands in the file now. */
  static void checkFilter(ByteSource source, SegmentFooter footer) throws IOException {
    if (footer.filter().bytes() == 0) {
      return;
    }
    long at = footer.filter().offset();
    int damaged = BlockFilter.open(source, at, footer.filter().bytes()).damagedPages();
    if (damaged > 0) {
      throw new CorruptException(
          at, "expected a filter, found %d damaged pages".formatted(damaged));
    }
  }

  /** Checks all of a list of batches as it stands in the file now. */
  static void checkBatches(ByteSource source, SegmentFooter footer, List<BlockInfo> blocks)
      throws IOException {
    var list = StoreSegment.readBatches(source, footer, blocks);
    if (list.isPresent()) {
      list.get().check(blocks);
    }
  }

  private static void checkFilter(StoreSegment segment) throws IOException {
    int damaged = segment.damagedFilterPages();
    if (damaged > 0) {
      throw new CorruptException(
          segment.fileBytes(), "expected a filter, found %d damaged pages".formatted(damaged));
    }
  }

  private static SegmentFooter checkFooter(StoreSegment segment) throws IOException {
    SegmentFooter footer = StoreSegment.readFooter(segment.source());
    if (footer.records() != segment.records()) {
      throw new CorruptException(
          segment.fileBytes() - SegmentFooter.BYTES,
          "expected the index's %d records, found %d"
              .formatted(segment.records(), footer.records()));
    }
    return footer;
  }
}
