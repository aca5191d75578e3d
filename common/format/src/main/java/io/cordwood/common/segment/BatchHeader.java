package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The fixed part of a batch, the same on the wire and on the disk. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic       FC 43 57 42; the first byte is in no UTF-8 text, so raw lines can share a port
 *   4   1  version     1
 *   5   1  flags       bit 0: delimiter (0 = LF, 1 = NUL); the others are 0
 *   6   2  topic       length T, 1 to 128
 *   8   4  records     1 or more
 *  12   4  payload     length P, 1 to 2 MiB
 *  16  16  first ULID  the record at position i has this plus i
 *  32   4  checksum    CRC-32C of bytes 4 to 31, the topic and the payload
 *  36   T  topic       ASCII
 *     +T P payload     the records, each ended by the delimiter
 * </pre>
 */
public record BatchHeader(
    Delimiter delimiter, int topicBytes, int records, int payloadBytes, Ulid first, int checksum) {
  /** Bytes of the fixed part. */
  public static final int BYTES = 36;

  public static final int MAGIC = 0xFC435742;
  public static final int MAX_PAYLOAD_BYTES = 2 << 20;
  public static final int MAX_RECORD_BYTES = 1 << 20;

  /** The most bytes that a batch can have. */
  public static final int MAX_BATCH_BYTES = BYTES + Topic.MAX_BYTES + MAX_PAYLOAD_BYTES;

  private static final byte VERSION = 1;
  private static final int CHECKED_FROM = 4;
  private static final int CHECKSUM_AT = 32;

  /** Bytes of the whole batch. */
  public int batchBytes() {
    return BYTES + topicBytes + payloadBytes;
  }

  /** The ULIDs of the first and of the last record. */
  public UlidRange range() {
    return new UlidRange(first, first.plus(records - 1L));
  }

  /**
   * Reads a fixed part and checks each field by itself; the checksum is not checked yet.
   *
   * @param offset of the header in its file or stream, for the message
   * @throws CorruptException if a field is not as it must be
   */
  public static BatchHeader parse(ByteBuffer bytes, int index, long offset)
      throws CorruptException {
    expect(bytes.getInt(index) == MAGIC, offset, "a batch's magic FC435742", bytes.getInt(index));
    expect(bytes.get(index + 4) == VERSION, offset, "batch version 1", bytes.get(index + 4));
    int flags = bytes.get(index + 5);
    expect(flags >> 1 == 0, offset, "batch flags 0 or 1", flags);
    int topicBytes = bytes.getShort(index + 6);
    expect(
        topicBytes >= 1 && topicBytes <= Topic.MAX_BYTES,
        offset,
        "a topic of 1 to 128 bytes",
        topicBytes);
    int records = bytes.getInt(index + 8);
    int payloadBytes = bytes.getInt(index + 12);
    expect(
        payloadBytes >= 1 && payloadBytes <= MAX_PAYLOAD_BYTES,
        offset,
        "a payload of 1 to 2097152 bytes",
        Integer.toUnsignedLong(payloadBytes));
    if (records < 1 || records > payloadBytes) {
      throw unexpected(
          offset,
          "1 to %d records in %d bytes".formatted(payloadBytes, payloadBytes),
          Integer.toUnsignedLong(records));
    }
    return new BatchHeader(
        flags == 0 ? Delimiter.LF : Delimiter.NUL,
        topicBytes,
        records,
        payloadBytes,
        Ulid.get(bytes, index + 16),
        bytes.getInt(index + CHECKSUM_AT));
  }

  private static void expect(boolean holds, long offset, String expected, long found)
      throws CorruptException {
    if (!holds) {
      throw unexpected(offset, expected, found);
    }
  }

  private static CorruptException unexpected(long offset, String expected, long found) {
    return new CorruptException(
        offset, "expected %s, found %d (0x%x)".formatted(expected, found, found));
  }

  /**
   * Writes a batch's fixed part and its topic, with the checksum over the payload, ready to be
   * followed by the payload.
   *
   * @param payload one or more buffers that hold the payload; their positions do not move
   * @return a buffer to be read from position 0; heap
   */
  public static ByteBuffer encode(
      Topic topic, Delimiter delimiter, Ulid first, int records, ByteBuffer... payload) {
    byte[] name = topic.bytes();
    int payloadBytes = 0;
    for (ByteBuffer part : payload) {
      payloadBytes += part.remaining();
    }
    var bytes = ByteBuffer.allocate(BYTES + name.length);
    bytes.putInt(MAGIC).put(VERSION).put((byte) delimiter.code()).putShort((short) name.length);
    bytes.putInt(records).putInt(payloadBytes).putLong(first.high()).putLong(first.low());
    bytes.put(BYTES, name).putInt(CHECKSUM_AT, checksum(bytes, 0, name.length, payload));
    return bytes.clear();
  }

  /** The checksum of a batch whose fixed part and topic stand in one buffer. */
  public static int checksum(ByteBuffer bytes, int index, int topicBytes, ByteBuffer... payload) {
    var crc = new CRC32C();
    crc.update(bytes.slice(index + CHECKED_FROM, CHECKSUM_AT - CHECKED_FROM));
    crc.update(bytes.slice(index + BYTES, topicBytes));
    for (ByteBuffer part : payload) {
      crc.update(part.duplicate());
    }
    return (int) crc.getValue();
  }
}
