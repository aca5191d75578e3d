package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The index of a store segment: one entry for each block, in the order of the blocks. Numbers are
 * big endian.
 *
 * <pre>
 *   0  4  magic     FD 43 57 49
 *   4  4  topics    their count N
 *   8  4  blocks    their count M
 *  12     topics    N times: 1 byte length, the name in ASCII
 *         blocks    M times 60 bytes:
 *           0  8  offset of the block in the file
 *           8  4  stored bytes of the whole block
 *          12  4  raw bytes of its body
 *          16  4  batches
 *          20  4  records
 *          24  4  topic, as its position above
 *          28 16  first ULID
 *          44 16  last ULID
 *         tables    M times 4 bytes: the length of the block's batch table; missing in files of before
 *      4  checksum  CRC-32C of all before
 * </pre>
 */
final class SegmentIndex {
  static final int MAX_BLOCKS = 65_536;
  static final int MAX_BYTES = 32 << 20;

  private static final int MAGIC = 0xFD435749;
  private static final int ENTRY_BYTES = 60;
  private static final int TABLE_BYTES = Integer.BYTES;
  private static final int FIXED_BYTES = 12 + Integer.BYTES;

  private SegmentIndex() {}

  static ByteBuffer encode(List<BlockInfo> blocks) {
    Map<Topic, Integer> topics = new LinkedHashMap<>();
    int nameBytes = 0;
    for (BlockInfo block : blocks) {
      if (topics.putIfAbsent(block.topic(), topics.size()) == null) {
        nameBytes += 1 + block.topic().bytes().length;
      }
    }
    var bytes =
        ByteBuffer.allocate(FIXED_BYTES + nameBytes + blocks.size() * (ENTRY_BYTES + TABLE_BYTES));
    bytes.putInt(MAGIC).putInt(topics.size()).putInt(blocks.size());
    topics.keySet().forEach(t -> bytes.put((byte) t.bytes().length).put(t.bytes()));
    for (BlockInfo block : blocks) {
      put(bytes, block, topics.getOrDefault(block.topic(), 0));
    }
    blocks.forEach(block -> bytes.putInt(block.tableBytes()));
    return bytes.putInt(Checksums.of(bytes, 0, bytes.position())).flip();
  }

  private static void put(ByteBuffer bytes, BlockInfo block, int topic) {
    bytes.putLong(block.offset()).putInt(block.storedBytes()).putInt(block.rawBytes());
    bytes.putInt(block.batches()).putInt(block.records()).putInt(topic);
    UlidRange range = block.range();
    bytes.putLong(range.from().high()).putLong(range.from().low());
    bytes.putLong(range.to().high()).putLong(range.to().low());
  }

  /**
   * Reads and checks an index that fills a buffer.
   *
   * @param offset of the index in its file, for the message
   */
  static List<BlockInfo> decode(ByteBuffer bytes, long offset) throws CorruptException {
    int checked = bytes.limit() - Integer.BYTES;
    if (checked < FIXED_BYTES - Integer.BYTES || bytes.getInt(0) != MAGIC) {
      throw new CorruptException(offset, "expected a segment's index with magic FD435749");
    }
    Checksums.check(bytes, 0, checked, bytes.getInt(checked), offset, "a segment's index");
    try {
      return decodeChecked(bytes.position(4), offset);
    } catch (RuntimeException e) {
      throw new CorruptException(offset, "expected a segment's index, found " + e);
    }
  }

  private static List<BlockInfo> decodeChecked(ByteBuffer bytes, long offset)
      throws CorruptException {
    int topicCount = bytes.getInt();
    int blockCount = bytes.getInt();
    if (blockCount < 0 || (long) blockCount * ENTRY_BYTES > bytes.remaining()) {
      throw new CorruptException(offset, "expected the entries of %d blocks".formatted(blockCount));
    }
    var topics = new ArrayList<Topic>();
    for (int i = 0; i < topicCount; i++) {
      byte[] name = new byte[bytes.get() & 0xFF];
      bytes.get(name);
      topics.add(Topic.of(name));
    }
    int tables = bytes.position() + blockCount * ENTRY_BYTES;
    boolean hasTables = bytes.limit() - Integer.BYTES - tables == blockCount * TABLE_BYTES;
    var blocks = new ArrayList<BlockInfo>(blockCount);
    for (int i = 0; i < blockCount; i++) {
      int table = hasTables ? bytes.getInt(tables + i * TABLE_BYTES) : 0;
      blocks.add(entry(bytes, i, topics, table));
    }
    return List.copyOf(blocks);
  }

  private static BlockInfo entry(
      ByteBuffer bytes, int ordinal, List<Topic> topics, int tableBytes) {
    int at = bytes.position();
    bytes.position(at + ENTRY_BYTES);
    return new BlockInfo(
        ordinal,
        topics.get(bytes.getInt(at + 24)),
        new UlidRange(Ulid.get(bytes, at + 28), Ulid.get(bytes, at + 44)),
        bytes.getLong(at),
        bytes.getInt(at + 8),
        bytes.getInt(at + 12),
        bytes.getInt(at + 16),
        bytes.getInt(at + 20),
        tableBytes);
  }
}
