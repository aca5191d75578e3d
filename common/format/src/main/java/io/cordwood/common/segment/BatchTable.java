package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import java.nio.ByteBuffer;

/**
 * The table of a block's batches, in ULID order, at the start of the block's body.
 *
 * <pre>
 *   1       flags    bit 0: delimiter (0 = LF, 1 = NUL); bit 1: the sender's bits are those of the batch before
 *   varint  time     milliseconds since the batch before (for the first: since the block's first ULID)
 *   6       sender   the upper 48 of the 80 unique bits, if bit 1 is not set
 *   varint  counter  the lower 32 of the unique bits; if bit 1 is set, minus the end of the batch before, zigzag
 *   varint  records
 *   varint  bytes    of the payload, delimiters included
 * </pre>
 *
 * <p>One sender's batches in a row cost some 6 bytes each.
 */
final class BatchTable {
  /** The most bytes that one entry can have. */
  static final int MAX_ENTRY_BYTES = 1 + 10 + 6 + 10 + 5 + 5;

  private static final int NUL = 1;
  private static final int SAME_SENDER = 2;

  private BatchTable() {}

  /** Writes one entry and remembers it as the one before. */
  static final class Encoder {
    private long millis;
    private long sender = -1;
    private long counterEnd;
    private boolean first = true;

    void put(ByteBuffer target, Batch batch) {
      Ulid ulid = batch.first();
      millis = first ? ulid.millis() : millis;
      boolean same = !first && sender(ulid) == sender;
      first = false;
      target.put((byte) (batch.delimiter().code() | (same ? SAME_SENDER : 0)));
      Varints.put(target, ulid.millis() - millis);
      if (same) {
        Varints.put(target, zigzag(counter(ulid) - counterEnd));
      } else {
        target.putShort((short) (sender(ulid) >>> 32)).putInt((int) sender(ulid));
        Varints.put(target, counter(ulid));
      }
      Varints.put(target, batch.records());
      Varints.put(target, batch.payload().remaining());
      millis = ulid.millis();
      sender = sender(ulid);
      counterEnd = counter(ulid) + batch.records();
    }
  }

  /** One batch of a decoded block: where its records stand, and which ULIDs they have. */
  record Entry(Labels labels, Ulid first, Delimiter delimiter, int records, int from, int to) {}

  /**
   * Reads the table.
   *
   * @param body the decompressed body; its first {@code header.tableBytes()} are the table
   * @throws CorruptException if the table is not what the header says
   */
  static Entry[] decode(BlockHeader header, ByteBuffer body, long offset) throws CorruptException {
    ByteBuffer table = body.slice(0, header.tableBytes());
    var entries = new Entry[header.batches()];
    var cursor = new Cursor(header.range().from().millis(), header.tableBytes());
    for (int i = 0; i < entries.length; i++) {
      entries[i] = cursor.read(table, offset);
    }
    if (table.hasRemaining()
        || cursor.at != header.rawBytes()
        || cursor.records != header.records()) {
      throw new CorruptException(
          offset,
          "expected a table of %d bytes, a body of %d and %d records, found %d, %d and %d"
              .formatted(
                  header.tableBytes(),
                  header.rawBytes(),
                  header.records(),
                  table.position(),
                  cursor.at,
                  cursor.records));
    }
    return entries;
  }

  private static final class Cursor {
    private long millis;
    private long sender;
    private long counterEnd;
    private long at;
    private long records;

    Cursor(long millis, int bodyFrom) {
      this.millis = millis;
      this.at = bodyFrom;
    }

    Entry read(ByteBuffer table, long offset) throws CorruptException {
      try {
        int flags = table.get();
        millis += Varints.get(table);
        long counter;
        if ((flags & SAME_SENDER) != 0) {
          counter = counterEnd + unzigzag(Varints.get(table));
        } else {
          sender = (table.getShort() & 0xFFFFL) << 32 | (table.getInt() & 0xFFFFFFFFL);
          counter = Varints.get(table);
        }
        int count = bounded(Varints.get(table));
        int bytes = bounded(Varints.get(table));
        counterEnd = counter + count;
        long from = at;
        at += bytes;
        records += count;
        Ulid first = new Ulid(millis << 16 | sender >>> 32, sender << 32 | (counter & 0xFFFFFFFFL));
        return new Entry(
            Labels.NONE,
            first,
            (flags & NUL) == 0 ? Delimiter.LF : Delimiter.NUL,
            count,
            (int) from,
            bounded(at));
      } catch (RuntimeException e) {
        throw new CorruptException(offset, "expected an entry of the batch table, found " + e);
      }
    }

    private static int bounded(long value) {
      if (value < 1 || value > BlockHeader.MAX_RAW_BYTES) {
        throw new IllegalArgumentException("a length of " + value);
      }
      return (int) value;
    }
  }

  private static long sender(Ulid ulid) {
    return (ulid.high() & 0xFFFF) << 32 | ulid.low() >>> 32;
  }

  private static long counter(Ulid ulid) {
    return ulid.low() & 0xFFFFFFFFL;
  }

  private static long zigzag(long value) {
    return value << 1 ^ value >> 63;
  }

  private static long unzigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }
}
