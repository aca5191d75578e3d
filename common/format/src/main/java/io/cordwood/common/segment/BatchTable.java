package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import java.nio.ByteBuffer;

/**
 * The table of a block's batches, in their order, at the start of the block's body. In a block of
 * version 2 it begins with {@link LabelSets}. Then for each batch:
 *
 * <pre>
 *   1       flags    bit 0: delimiter (0 = LF, 1 = NUL); bit 1: the sender's bits are those of the batch before;
 *                    bit 2: other labels than those of the batch before (before the first: none)
 *   varint  time     milliseconds since the batch before (for the first: since the block's first ULID)
 *   6       sender   the upper 48 of the 80 unique bits, if bit 1 is not set
 *   varint  counter  the lower 32 of the unique bits; if bit 1 is set, minus the end of the batch before, zigzag
 *   varint  records
 *   varint  bytes    of the payload, delimiters included
 *   varint  labels   if bit 2 is set: 0 = none, n = the n-th set
 * </pre>
 *
 * <p>One sender's batches in a row cost some 6 bytes each.
 */
final class BatchTable {
  /** The most bytes that one entry can have. */
  static final int MAX_ENTRY_BYTES = 1 + 10 + 6 + 10 + 5 + 5 + 5;

  private static final int NUL = 1;
  private static final int SAME_SENDER = 2;
  private static final int OTHER_LABELS = 4;

  private BatchTable() {}

  /** Writes one entry and remembers it as the one before. */
  static final class Encoder {
    private long millis;
    private long sender = -1;
    private long counterEnd;
    private int labels;
    private boolean first = true;

    /**
     * Writes an entry.
     *
     * @param set the number of the batch's labels; 0 for none
     */
    void put(ByteBuffer target, Batch batch, int set) {
      Ulid ulid = batch.first();
      millis = first ? ulid.millis() : millis;
      boolean same = !first && sender(ulid) == sender;
      first = false;
      int other = set == labels ? 0 : OTHER_LABELS;
      target.put((byte) (batch.delimiter().code() | (same ? SAME_SENDER : 0) | other));
      Varints.put(target, ulid.millis() - millis);
      if (same) {
        Varints.put(target, zigzag(counter(ulid) - counterEnd));
      } else {
        target.putShort((short) (sender(ulid) >>> 32)).putInt((int) sender(ulid));
        Varints.put(target, counter(ulid));
      }
      Varints.put(target, batch.records());
      Varints.put(target, batch.payload().remaining());
      if (other != 0) {
        Varints.put(target, set);
        labels = set;
      }
      millis = ulid.millis();
      sender = sender(ulid);
      counterEnd = counter(ulid) + batch.records();
    }
  }

  /** One batch of a decoded block: where its records stand, and which ULIDs they have. */
  record Entry(Labels labels, Ulid first, Delimiter delimiter, int records, int from, int to) {}

  /** Takes the entries of a table. */
  @FunctionalInterface
  interface Sink<T> {
    /**
     * Makes something of an entry.
     *
     * @param set the number of its labels; 0 for none
     * @param from and {@code to}: where its payload stands in the body
     */
    T of(int set, Ulid first, Delimiter delimiter, int records, int from, int to);
  }

  /**
   * Reads the table of a block.
   *
   * @param body the decompressed body; its first {@code header.tableBytes()} are the table
   * @throws CorruptException if the table is not what the header says
   */
  static Entry[] decode(BlockHeader header, ByteBuffer body, long offset) throws CorruptException {
    ByteBuffer table = body.slice(0, header.tableBytes());
    Labels[] sets = header.labelled() ? LabelSets.decode(table, offset) : LabelSets.NONE;
    var entries = new Entry[header.batches()];
    var cursor = new Cursor(header, table, sets.length - 1, offset);
    Sink<Entry> sink =
        (set, first, delimiter, records, from, to) ->
            new Entry(sets[set], first, delimiter, records, from, to);
    for (int i = 0; i < entries.length; i++) {
      entries[i] = cursor.read(sink);
    }
    cursor.end();
    return entries;
  }

  /** Reads the entries of a table one after the other. */
  static final class Cursor {
    private final BlockHeader header;
    private final ByteBuffer table;
    private final int sets;
    private final long offset;
    private long millis;
    private long sender;
    private long counterEnd;
    private long at;
    private long records;
    private int set;
    private int seen;

    /**
     * Begins to read.
     *
     * @param table from the first entry on
     * @param sets how many there are
     */
    Cursor(BlockHeader header, ByteBuffer table, int sets, long offset) {
      this.header = header;
      this.table = table;
      this.sets = sets;
      this.offset = offset;
      this.millis = header.range().from().millis();
      this.at = header.tableBytes();
    }

    <T> T read(Sink<T> sink) throws CorruptException {
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
        if (sets > 0 && (flags & OTHER_LABELS) != 0) {
          set = set(Varints.get(table));
        }
        counterEnd = counter + count;
        long from = at;
        at += bytes;
        records += count;
        Ulid first = new Ulid(millis << 16 | sender >>> 32, sender << 32 | (counter & 0xFFFFFFFFL));
        Delimiter delimiter = (flags & NUL) == 0 ? Delimiter.LF : Delimiter.NUL;
        return sink.of(set, first, delimiter, count, (int) from, bounded(at));
      } catch (RuntimeException e) {
        throw new CorruptException(offset, "expected an entry of the batch table, found " + e);
      }
    }

    /** The sets are in the order of their first use. */
    private int set(long number) {
      if (number < 0 || number > Math.min(seen + 1, sets)) {
        throw new IllegalArgumentException("labels " + number + " of " + sets);
      }
      seen = Math.max(seen, (int) number);
      return (int) number;
    }

    /** Checks that nothing is left, and that all is as the header says. */
    void end() throws CorruptException {
      if (table.hasRemaining()
          || at != header.rawBytes()
          || records != header.records()
          || seen != sets) {
        throw new CorruptException(
            offset,
            "expected a table of %d bytes, a body of %d, %d records and %d sets of labels,"
                    .formatted(header.tableBytes(), header.rawBytes(), header.records(), sets)
                + " found %d, %d, %d and %d".formatted(table.position(), at, records, seen));
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
