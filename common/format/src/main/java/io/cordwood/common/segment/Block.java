package io.cordwood.common.segment;

import io.cordwood.common.segment.BatchTable.Entry;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A decoded block: payload bytes to be searched as a whole, and the table that tells which record
 * has which ULID. Valid until its decoder reads the next one; the table is read when first asked
 * for. One thread.
 */
public final class Block {
  private final Topic topic;
  private final BlockHeader header;
  private final byte[] bytes;
  private final long offset;
  private final int damagedBatches;
  private Entry @org.jspecify.annotations.Nullable [] entries;

  Block(Topic topic, BlockHeader header, byte[] bytes, long offset) {
    this.topic = topic;
    this.header = header;
    this.bytes = bytes;
    this.offset = offset;
    this.damagedBatches = 0;
  }

  /**
   * A block that was put together in memory, of batches that have no table.
   *
   * @param info of the block as it should be
   * @param entries of its batches that are intact
   * @param end of their payloads
   */
  Block(BlockInfo info, Entry[] entries, byte[] bytes, int end) {
    this.topic = info.topic();
    this.header = header(info, entries, end);
    this.bytes = bytes;
    this.offset = info.offset();
    this.damagedBatches = info.batches() - entries.length;
    this.entries = entries;
  }

  private static BlockHeader header(BlockInfo info, Entry[] entries, int end) {
    int delimiters = 0;
    int records = 0;
    for (Entry entry : entries) {
      delimiters |= BlockHeader.bit(entry.delimiter());
      records += entry.records();
    }
    return new BlockHeader(
        false,
        BlockHeader.Codec.PLAIN,
        delimiters,
        info.topic().bytes().length,
        entries.length,
        records,
        0,
        end,
        end,
        info.range(),
        0,
        0);
  }

  BlockHeader header() {
    return header;
  }

  public Topic topic() {
    return topic;
  }

  /** From its first record's ULID to the last one's. */
  public UlidRange range() {
    return header.range();
  }

  public int records() {
    return header.records();
  }

  /** The array that holds the payloads, in {@code [from(), to())}; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** The start of the payloads. */
  public int from() {
    return header.tableBytes();
  }

  /** The end of the payloads. */
  public int to() {
    return header.rawBytes();
  }

  /** Whether all batches have one delimiter, so that the payloads can be searched in one go. */
  public boolean isUniform() {
    return Integer.bitCount(header.delimiters()) == 1;
  }

  /** The delimiter of all batches, if {@link #isUniform()}. */
  public Delimiter delimiter() {
    return header.delimiters() == BlockHeader.bit(Delimiter.LF) ? Delimiter.LF : Delimiter.NUL;
  }

  public int batches() {
    return header.batches();
  }

  /** Batches that should be here too, but cannot be read. */
  public int damagedBatches() {
    return damagedBatches;
  }

  /**
   * The position of a batch's payload, and the ULIDs of its records.
   *
   * @throws CorruptException if the table is damaged in a way that its checksum does not show
   */
  public BatchSpan batch(int index) throws CorruptException {
    Entry entry = entries()[index];
    return new BatchSpan(
        entry.labels(),
        entry.first(),
        entry.delimiter(),
        entry.records(),
        entry.from(),
        entry.to());
  }

  /** Whether some batch has labels. */
  public boolean hasLabels() throws CorruptException {
    for (Entry entry : entries()) {
      if (!entry.labels().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The index of the batch in whose payload a position stands. */
  public int batchAt(int position) throws CorruptException {
    Entry[] table = entries();
    int low = 0;
    int high = table.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (table[middle].from() <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** A batch of a block: its records stand in {@code [from, to)} of the block's bytes. */
  public record BatchSpan(
      Labels labels, Ulid first, Delimiter delimiter, int records, int from, int to) {}

  /** The batches, as they were when they were received; views, valid as long as this block. */
  public List<Batch> toBatches() throws CorruptException {
    var wrapped = ByteBuffer.wrap(bytes);
    return java.util.Arrays.stream(entries())
        .map(e ->
            new Batch(
                topic,
                e.labels(),
                e.delimiter(),
                e.first(),
                e.records(),
                wrapped.slice(e.from(), e.to() - e.from())))
        .toList();
  }

  /** The rest of it without some records; empty if nothing is left. Holds none of its buffers. */
  public Optional<Block> without(LeftOut leftOut) throws CorruptException {
    return CutBlock.of(this, leftOut);
  }

  /**
   * This block without its body, for when that is kept elsewhere; holds none of this block's
   * buffers.
   */
  public BlockMetadata withoutBody() {
    return new BlockMetadata(topic, header, offset);
  }

  /** The different labels that its table begins with, in the order of their first use. */
  List<Labels> labels() throws CorruptException {
    if (!header.labelled()) {
      return List.of();
    }
    Labels[] sets = LabelSets.decode(table(), offset);
    return List.of(sets).subList(1, sets.length);
  }

  /** The entries of its table; a view, valid as long as this block. */
  ByteBuffer tableEntries() throws CorruptException {
    ByteBuffer table = table();
    if (header.labelled()) {
      var _ = LabelSets.decode(table, offset);
    }
    return table;
  }

  private ByteBuffer table() {
    return ByteBuffer.wrap(bytes).slice(0, header.tableBytes());
  }

  private Entry[] entries() throws CorruptException {
    Entry[] known = entries;
    if (known == null) {
      known = BatchTable.decode(header, ByteBuffer.wrap(bytes), offset);
      entries = known;
    }
    return known;
  }
}
