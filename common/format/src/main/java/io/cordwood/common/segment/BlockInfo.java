package io.cordwood.common.segment;

import io.cordwood.common.ulid.UlidRange;

/**
 * The entry of one block in a store segment's index.
 *
 * @param ordinal of the block in its segment, from 0; the filter's column
 * @param offset of the block in its file
 * @param storedBytes of the whole block in the file
 * @param rawBytes of its body after decompression: the batch table and the payloads
 * @param range from the ULID of its first record to that of its last
 * @param tableBytes of the batch table in its body; 0 where there is none, or where an index does
 *     not say
 */
public record BlockInfo(
    int ordinal,
    Topic topic,
    UlidRange range,
    long offset,
    int storedBytes,
    int rawBytes,
    int batches,
    int records,
    int tableBytes) {
  /** This block, stored elsewhere in another number of bytes. */
  BlockInfo at(long otherOffset, int otherStoredBytes) {
    return new BlockInfo(
        ordinal,
        topic,
        range,
        otherOffset,
        otherStoredBytes,
        rawBytes,
        batches,
        records,
        tableBytes);
  }

  /** This block, at another place among those of its segment. */
  BlockInfo numbered(int otherOrdinal) {
    return new BlockInfo(
        otherOrdinal, topic, range, offset, storedBytes, rawBytes, batches, records, tableBytes);
  }

  /** This block, with the length of its batch table, which an index may not say. */
  BlockInfo withTable(int bytes) {
    return new BlockInfo(
        ordinal, topic, range, offset, storedBytes, rawBytes, batches, records, bytes);
  }

  /** Bytes of its records and their delimiters. */
  public int payloadBytes() {
    return rawBytes - tableBytes;
  }

  /** Whether it is stored in fewer bytes than it has, as store segments do where that is so. */
  public boolean isPacked() {
    return storedBytes < rawBytes;
  }
}
