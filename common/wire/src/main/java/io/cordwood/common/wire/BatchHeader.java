package io.cordwood.common.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The fixed part of a batch, the same on the wire and on the disk. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic       FC 43 57 42; the first byte is in no UTF-8 text, so raw lines can share a port
 *   4   1  version     1, or 2 if it has labels
 *   5   1  flags       bit 0: delimiter (0 = LF, 1 = NUL); the others are 0
 *   6   2  origin      length O: 1 to 128 in version 1, to 8,320 in version 2
 *   8   4  records     1 or more
 *  12   4  payload     length P, 1 to 2 MiB
 *  16  16  first ULID  the record at position i has this plus i
 *  32   4  checksum    CRC-32C of bytes 4 to 31, the origin and the payload
 *  36   O  origin      the topic, ASCII; in version 2, {@link Labels} after it
 *     +O P payload     the records, each ended by the delimiter
 * </pre>
 *
 * @param labelled whether the origin has labels
 * @param originBytes of the topic and the labels
 * @param high of the first ULID: 48 bits of Unix milliseconds, then 16 random ones
 * @param low of the first ULID: 32 random bits, then a counter of records
 */
public record BatchHeader(
    Delimiter delimiter,
    boolean labelled,
    int originBytes,
    int records,
    int payloadBytes,
    long high,
    long low,
    int checksum) {
  /** Bytes of the fixed part. */
  public static final int BYTES = 36;

  public static final int MAGIC = 0xFC435742;
  public static final int MAX_PAYLOAD_BYTES = 2 << 20;
  public static final int MAX_RECORD_BYTES = 1 << 20;

  /** The most bytes that a batch can have. */
  public static final int MAX_BATCH_BYTES = BYTES + Origin.MAX_BYTES + MAX_PAYLOAD_BYTES;

  private static final byte VERSION_PLAIN = 1;
  private static final byte VERSION_LABELLED = 2;
  private static final int CHECKED_FROM = 4;
  private static final int CHECKSUM_AT = 32;

  /** Bytes of the whole batch. */
  public int batchBytes() {
    return BYTES + originBytes + payloadBytes;
  }

  /** Unix milliseconds of the ULIDs. */
  public long millis() {
    return high >>> 16;
  }

  /**
   * Reads a fixed part and checks each field by itself; the checksum is not checked yet.
   *
   * @param offset of the header in its file or stream, for the message
   * @throws CorruptException if a field is not as it must be
   */
  public static BatchHeader parse(ByteBuffer bytes, int index, long offset)
      throws CorruptException {
    CorruptException.check(
        bytes.getInt(index) == MAGIC, offset, "a batch's magic FC435742", bytes.getInt(index));
    byte version = bytes.get(index + 4);
    boolean labelled = version == VERSION_LABELLED;
    CorruptException.check(
        labelled || version == VERSION_PLAIN, offset, "batch version 1 or 2", version);
    int flags = bytes.get(index + 5);
    CorruptException.check(flags >> 1 == 0, offset, "batch flags 0 or 1", flags);
    int originBytes = bytes.getShort(index + 6);
    int mostBytes = labelled ? Origin.MAX_BYTES : TopicName.MAX_BYTES;
    CorruptException.check(
        originBytes >= 1 && originBytes <= mostBytes,
        offset,
        (labelled ? "a topic and labels of 1 to " : "a topic of 1 to ") + mostBytes + " bytes",
        originBytes);
    int records = bytes.getInt(index + 8);
    int payloadBytes = bytes.getInt(index + 12);
    CorruptException.check(
        payloadBytes >= 1 && payloadBytes <= MAX_PAYLOAD_BYTES,
        offset,
        "a payload of 1 to 2097152 bytes",
        Integer.toUnsignedLong(payloadBytes));
    if (records < 1 || records > payloadBytes) {
      throw CorruptException.unexpected(
          offset,
          "1 to %d records in %d bytes".formatted(payloadBytes, payloadBytes),
          Integer.toUnsignedLong(records));
    }
    return new BatchHeader(
        flags == 0 ? Delimiter.LF : Delimiter.NUL,
        labelled,
        originBytes,
        records,
        payloadBytes,
        bytes.getLong(index + 16),
        bytes.getLong(index + 24),
        bytes.getInt(index + CHECKSUM_AT));
  }

  /**
   * Checks the rest of a batch with this header, except what its origin says: the checksum, the
   * count of records and the last delimiter.
   *
   * @param head holds the fixed part and the origin, from an index on
   * @param offset of the batch in its file or stream, for the message
   * @param payload one or more buffers that hold the payload; their positions do not move
   * @throws CorruptException if something is not as the header says
   */
  public void check(ByteBuffer head, int index, long offset, ByteBuffer... payload)
      throws CorruptException {
    int sum = checksum(head, index, originBytes, payload);
    if (sum != checksum) {
      throw new CorruptException(
          offset, "expected a batch with checksum %08x, found %08x".formatted(checksum, sum));
    }
    int found = 0;
    for (ByteBuffer part : payload) {
      found += delimiter.countIn(part);
    }
    ByteBuffer last = payload[payload.length - 1];
    if (found != records || last.get(last.limit() - 1) != delimiter.value()) {
      throw new CorruptException(
          offset,
          "expected %d records, each ended by %s, found %d delimiters"
              .formatted(records, delimiter, found));
    }
  }

  /**
   * Reads and checks the origin of a batch with this header.
   *
   * @param index where the batch begins in the buffer
   * @param offset where it begins in its file or stream, for the message
   * @throws CorruptException if there is no topic, or no labels where there must be some
   */
  public Origin origin(ByteBuffer bytes, int index, long offset) throws CorruptException {
    byte[] encoded = new byte[originBytes];
    bytes.get(index + BYTES, encoded);
    try {
      Origin origin = Origin.decode(encoded);
      if (origin.labels().isEmpty() == labelled) {
        throw new IllegalArgumentException(
            labelled
                ? "expected labels in a batch of version 2, found none"
                : "expected no labels in a batch of version 1, found some");
      }
      return origin;
    } catch (IllegalArgumentException e) {
      throw new CorruptException(offset, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Writes a batch's fixed part and its origin at the start of a buffer, with the checksum over the
   * payload.
   *
   * @param origin as {@link Origin#bytes()} gives it
   * @param payload one or more buffers that hold the payload; their positions do not move
   */
  public static void write(
      ByteBuffer bytes,
      byte[] origin,
      Delimiter delimiter,
      long high,
      long low,
      int records,
      ByteBuffer... payload) {
    int payloadBytes = 0;
    for (ByteBuffer part : payload) {
      payloadBytes += part.remaining();
    }
    bytes.putInt(0, MAGIC).put(4, version(origin)).put(5, (byte) delimiter.code());
    bytes.putShort(6, (short) origin.length).putInt(8, records).putInt(12, payloadBytes);
    bytes.putLong(16, high).putLong(24, low).put(BYTES, origin);
    bytes.putInt(CHECKSUM_AT, checksum(bytes, 0, origin.length, payload));
  }

  /** No topic has a line feed, and each label has one before it. */
  private static byte version(byte[] origin) {
    for (byte each : origin) {
      if (each == '\n') {
        return VERSION_LABELLED;
      }
    }
    return VERSION_PLAIN;
  }

  /** The checksum of a batch whose fixed part and origin stand in one buffer. */
  public static int checksum(ByteBuffer bytes, int index, int originBytes, ByteBuffer... payload) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(index + CHECKED_FROM, CHECKSUM_AT - CHECKED_FROM));
    crc.update(bytes.slice(index + BYTES, originBytes));
    for (ByteBuffer part : payload) {
      crc.update(part.duplicate());
    }
    return (int) crc.getValue();
  }
}
