package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The fixed part of a block: enough to find and check the block without the segment's index.
 * Numbers are big endian.
 *
 * <pre>
 *   0   4  magic       FD 43 57 42
 *   4   1  version     1, or 2 if one of its batches has labels
 *   5   1  contents    bits 0-3: codec, 0 = stored as it is, 1 = zstd, 2 = settled
 *                      bits 4-5: delimiters of the batches, 1 = LF, 2 = NUL, 3 = both
 *   6   2  topic       length T, 1 to 128
 *   8   4  batches     1 to 16,384
 *  12   4  records
 *  16   4  table       length of the batch table, at the start of the body
 *  20   4  raw         length of the body (table and payloads) before compression, at most 4 MiB
 *  24   4  stored      length S of the body as it stands in the file
 *  28  16  first       ULID of the first record
 *  44  16  last        ULID of the last record
 *  60   4  body sum    CRC-32C of the stored body
 *  64   4  head sum    CRC-32C of bytes 0 to 63 and the topic
 *  68   T  topic       ASCII
 *     + S  body        batch table, then the payloads of the batches back to back
 * </pre>
 *
 * A settled block's stored body begins with what an unsettled copy of the block has, by which it is
 * known to be a copy, and goes on with zstd that needs the segment's {@link SegmentDictionary}:
 *
 * <pre>
 *   0   4  stored bytes of the whole block as it was written first
 *   4   4  body sum of the block as it was written first
 *   8      zstd
 * </pre>
 */
record BlockHeader(
    boolean labelled,
    Codec codec,
    int delimiters,
    int topicBytes,
    int batches,
    int records,
    int tableBytes,
    int rawBytes,
    int storedBytes,
    UlidRange range,
    int bodySum,
    int headSum) {
  static final int BYTES = 68;
  static final int MAGIC = 0xFD435742;
  static final int MAX_BATCHES = 16_384;
  static final int MAX_RAW_BYTES = 4 << 20;
  static final int MAX_STORED_BYTES = MAX_RAW_BYTES + (64 << 10);

  /** The most bytes that a whole block can have. */
  static final int MAX_BYTES = BYTES + Topic.MAX_BYTES + MAX_STORED_BYTES;

  private static final byte VERSION_PLAIN = 1;
  private static final byte VERSION_LABELLED = 2;
  private static final int ALL_DELIMITERS = 3;
  static final int BODY_SUM_AT = 60;
  private static final int HEAD_SUM_AT = 64;

  /** How a body is stored. */
  enum Codec {
    PLAIN(0),
    ZSTD(1),
    SETTLED(2);

    /** Before a settled body's zstd. */
    static final int SETTLED_PREFIX_BYTES = 8;

    private final int code;

    Codec(int code) {
      this.code = code;
    }

    private static Codec of(int code, long offset) throws CorruptException {
      CorruptException.check(code < values().length, offset, "block codec 0 to 2", code);
      return values()[code];
    }
  }

  /** The bit that stands for a delimiter in the contents byte. */
  static int bit(Delimiter delimiter) {
    return 1 << delimiter.code();
  }

  /** How a block of a settled segment was stored at first. */
  static FirstForm firstForm(ByteSource source, BlockInfo block) throws IOException {
    int body = BYTES + block.topic().bytes().length;
    var head = ByteBuffer.allocate(body + Codec.SETTLED_PREFIX_BYTES);
    source.read(head.limit(Math.min(head.capacity(), block.storedBytes())), block.offset());
    head.clear();
    return (head.get(5) & 0xF) == Codec.SETTLED.code
        ? new FirstForm(head.getInt(body), head.getInt(body + 4))
        : new FirstForm(block.storedBytes(), head.getInt(BODY_SUM_AT));
  }

  /** As much of it as an index says, for reading the batch table. */
  static BlockHeader of(BlockInfo info) {
    return new BlockHeader(
        false,
        Codec.PLAIN,
        0,
        info.topic().bytes().length,
        info.batches(),
        info.records(),
        info.tableBytes(),
        info.rawBytes(),
        info.rawBytes(),
        info.range(),
        0,
        0);
  }

  /** Bytes of the whole block. */
  int blockBytes() {
    return BYTES + topicBytes + storedBytes;
  }

  /** That of the same block in its settled form. */
  BlockHeader settled(int settledBytes, int settledSum) {
    return new BlockHeader(
        labelled,
        Codec.SETTLED,
        delimiters,
        topicBytes,
        batches,
        records,
        tableBytes,
        rawBytes,
        settledBytes,
        range,
        settledSum,
        0);
  }

  /** Writes the fixed part and the topic; {@code headSum} is computed. */
  void encode(ByteBuffer target, int index, Topic topic) {
    target
        .putInt(index, MAGIC)
        .put(index + 4, labelled ? VERSION_LABELLED : VERSION_PLAIN)
        .put(index + 5, (byte) (codec.code | delimiters << 4));
    target.putShort(index + 6, (short) topicBytes).putInt(index + 8, batches);
    target.putInt(index + 12, records).putInt(index + 16, tableBytes).putInt(index + 20, rawBytes);
    target.putInt(index + 24, storedBytes);
    range.from().put(target, index + 28);
    range.to().put(target, index + 44);
    target.putInt(index + BODY_SUM_AT, bodySum).put(index + BYTES, topic.bytes());
    target.putInt(index + HEAD_SUM_AT, headSum(target, index, topicBytes));
  }

  private static int headSum(ByteBuffer bytes, int index, int topicBytes) {
    var joined = ByteBuffer.allocate(HEAD_SUM_AT + topicBytes);
    joined.put(0, bytes, index, HEAD_SUM_AT).put(HEAD_SUM_AT, bytes, index + BYTES, topicBytes);
    return Checksums.of(joined, 0, joined.capacity());
  }

  /**
   * Reads a fixed part and checks each field by itself, so that no damaged length leads to a large
   * allocation; the checksum needs the topic and is checked by {@link #checkHead}.
   */
  static BlockHeader parse(ByteBuffer bytes, int index, long offset) throws CorruptException {
    CorruptException.check(
        bytes.getInt(index) == MAGIC, offset, "a block's magic FD435742", bytes.getInt(index));
    byte version = bytes.get(index + 4);
    boolean labelled = version == VERSION_LABELLED;
    CorruptException.check(
        labelled || version == VERSION_PLAIN, offset, "block version 1 or 2", version);
    Codec codec = Codec.of(bytes.get(index + 5) & 0xF, offset);
    int delimiters = within(bytes.get(index + 5) >> 4, 1, ALL_DELIMITERS, offset, "delimiters");
    int topicBytes = within(bytes.getShort(index + 6), 1, Topic.MAX_BYTES, offset, "topic length");
    int batches = within(bytes.getInt(index + 8), 1, MAX_BATCHES, offset, "batches");
    int records = within(bytes.getInt(index + 12), batches, MAX_RAW_BYTES, offset, "records");
    int rawBytes = within(bytes.getInt(index + 20), 2, MAX_RAW_BYTES, offset, "raw length");
    int tableBytes = within(bytes.getInt(index + 16), 1, rawBytes - 1, offset, "table length");
    int leastStored = codec == Codec.SETTLED ? Codec.SETTLED_PREFIX_BYTES + 1 : 1;
    int storedBytes =
        within(bytes.getInt(index + 24), leastStored, MAX_STORED_BYTES, offset, "stored length");
    Ulid first = Ulid.get(bytes, index + 28);
    Ulid last = Ulid.get(bytes, index + 44);
    CorruptException.check(
        !last.isBefore(first), offset, "a first ULID before the last", last.millis());
    return new BlockHeader(
        labelled,
        codec,
        delimiters,
        topicBytes,
        batches,
        records,
        tableBytes,
        rawBytes,
        storedBytes,
        new UlidRange(first, last),
        bytes.getInt(index + BODY_SUM_AT),
        bytes.getInt(index + HEAD_SUM_AT));
  }

  /**
   * Checks the fixed part and the topic, which stand in the buffer from {@code index}, and gives
   * the topic.
   */
  Topic checkHead(ByteBuffer bytes, int index, long offset) throws CorruptException {
    int found = headSum(bytes, index, topicBytes);
    if (found != headSum) {
      throw new CorruptException(
          offset,
          "expected a block's head with checksum %08x, found %08x".formatted(headSum, found));
    }
    byte[] name = new byte[topicBytes];
    bytes.get(index + BYTES, name);
    try {
      return Topic.of(name);
    } catch (IllegalArgumentException e) {
      throw new CorruptException(offset, String.valueOf(e.getMessage()));
    }
  }

  private static int within(int found, int min, int max, long offset, String what)
      throws CorruptException {
    if (found < min || found > max) {
      throw CorruptException.unexpected(offset, what + " from " + min + " to " + max, found);
    }
    return found;
  }
}
