package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The list of a segment's batches, which is read without any block: the fingerprints of its slices,
 * and the batch tables of its blocks again, not compressed. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FD 43 57 54
 *   4   4  version   1
 *   8   4  blocks    their count
 *  12   4  slices    their count K; 0 if there would be more than 65,536
 *  16   8  length    milliseconds of a slice
 *  24      slices    K times 48 bytes, ascending:
 *            0  8  number: start in milliseconds since 1970, divided by the length
 *            8  8  batches
 *           16  8  records
 *           24  8  bytes of the payloads
 *           32 16  {@link Fingerprint}
 *       4  head sum  CRC-32C of all before
 *          tables    for each block, in the order of the index: its {@link BatchTable}
 *                    4  CRC-32C of the table
 * </pre>
 *
 * <p>For all threads. Holds the fingerprints.
 */
final class BatchSection {
  static final int MAGIC = 0xFD435754;

  /** A segment whose list would be longer has none. */
  static final int MAX_BYTES = 32 << 20;

  private static final int VERSION = 1;
  private static final int FIXED_BYTES = 24;
  private static final int SUM_BYTES = Integer.BYTES;

  /** Most lists have a shorter head, which is read at once. */
  private static final int FIRST_READ_BYTES = 1 << 10;

  private final ByteSource source;
  private final long offset;
  private final int bytes;
  private final Optional<SliceSums> sums;

  private BatchSection(ByteSource source, long offset, int bytes, Optional<SliceSums> sums) {
    this.source = source;
    this.offset = offset;
    this.bytes = bytes;
    this.sums = sums;
  }

  /** All of it. */
  int bytes() {
    return bytes;
  }

  /** Empty if they are too many; the tables tell them then. */
  Optional<SliceSums> sums() {
    return sums;
  }

  /**
   * Reads and checks the head.
   *
   * @param blocks of the segment
   * @throws CorruptException if it is damaged, or of another segment
   */
  static BatchSection open(ByteSource source, long offset, long length, List<BlockInfo> blocks)
      throws IOException {
    ByteBuffer head = read(source, offset, (int) Math.min(length, FIRST_READ_BYTES));
    if (length < FIXED_BYTES + SUM_BYTES || head.getInt(0) != MAGIC || head.getInt(4) != VERSION) {
      throw new CorruptException(offset, "expected a list of batches FD435754 00000001");
    }
    int slices = head.getInt(12);
    long tables = tablesBytes(blocks);
    if (head.getInt(8) != blocks.size()
        || slices < 0
        || slices > SliceSums.MAX_SLICES
        || headBytes(slices) + tables != length) {
      throw new CorruptException(
          offset,
          "expected a list of the batches of %d blocks in %d bytes, found %d blocks, %d slices"
              .formatted(blocks.size(), length, head.getInt(8), slices));
    }
    int bytes = headBytes(slices);
    head = bytes <= head.limit() ? head : read(source, offset, bytes);
    int checked = bytes - SUM_BYTES;
    Checksums.check(
        head, 0, checked, head.getInt(checked), offset, "the head of a list of batches");
    return new BatchSection(source, offset, (int) length, sums(head, slices, offset));
  }

  private static Optional<SliceSums> sums(ByteBuffer head, int slices, long offset)
      throws CorruptException {
    long millis = head.getLong(16);
    if (millis <= 0) {
      throw new CorruptException(offset, "expected a slice of 1 ms or more, found " + millis);
    }
    return slices == 0
        ? Optional.empty()
        : Optional.of(SliceSums.get(head.position(FIXED_BYTES), millis, slices));
  }

  private static ByteBuffer read(ByteSource source, long at, int bytes) throws IOException {
    var read = ByteBuffer.allocate(bytes);
    source.read(read, at);
    return read.flip();
  }

  private static int headBytes(int slices) {
    return FIXED_BYTES + slices * SliceSums.SLICE_BYTES + SUM_BYTES;
  }

  private static long tablesBytes(List<BlockInfo> blocks) {
    long bytes = 0;
    for (BlockInfo block : blocks) {
      bytes += block.tableBytes() + SUM_BYTES;
    }
    return bytes;
  }

  /** Positions at which the tables of the blocks begin, counted from the first one's. */
  static int[] positions(List<BlockInfo> blocks) {
    int[] positions = new int[blocks.size()];
    int at = 0;
    for (int i = 0; i < positions.length; i++) {
      positions[i] = at;
      at += blocks.get(i).tableBytes() + SUM_BYTES;
    }
    return positions;
  }

  /**
   * The batches of a block.
   *
   * @param position of its table, see {@link #positions}
   * @throws CorruptException if the table is damaged
   */
  List<BatchInfo> batches(BlockInfo block, int position) throws IOException {
    int slices = sums.map(SliceSums::size).orElse(0);
    long at = offset + headBytes(slices) + position;
    ByteBuffer table = read(source, at, block.tableBytes() + SUM_BYTES);
    int length = block.tableBytes();
    Checksums.check(table, 0, length, table.getInt(length), at, "a table of a list of batches");
    BatchTable.Entry[] entries = BatchTable.decode(BlockHeader.of(block), table, at);
    return Arrays.stream(entries)
        .map(e -> new BatchInfo(block.topic(), e.first(), e.records(), e.to() - e.from()))
        .toList();
  }

  /** Checks all of it: every table, and that the fingerprints are those of the batches. */
  void check(List<BlockInfo> blocks) throws IOException {
    int[] positions = positions(blocks);
    var found = new SliceSums.Builder(sums.map(SliceSums::millis).orElse(SliceSums.USUAL_MILLIS));
    for (BlockInfo block : blocks) {
      for (BatchInfo batch : batches(block, positions[block.ordinal()])) {
        found.add(batch.topic(), batch.first(), batch.records(), batch.bytes());
      }
    }
    if (sums.isPresent() && !sums.get().equals(found.build())) {
      throw new CorruptException(
          offset, "expected the fingerprints of its batches in a list of batches, found others");
    }
  }

  /** The tables, to be compared with those in the blocks. */
  Tables tables(List<BlockInfo> blocks) {
    return new Tables(blocks);
  }

  /** The tables of blocks that are asked for in the order of the file. One thread. */
  final class Tables {
    private final List<BlockInfo> blocks;
    private final int[] positions;
    private int next;

    private Tables(List<BlockInfo> blocks) {
      this.blocks = blocks;
      this.positions = positions(blocks);
    }

    /**
     * Compares the list with a block, if the index has one there.
     *
     * @throws CorruptException if the block holds other batches than the list says
     */
    void check(Block block, long blockOffset) throws IOException {
      while (next < blocks.size() && blocks.get(next).offset() < blockOffset) {
        next++;
      }
      if (next < blocks.size() && blocks.get(next).offset() == blockOffset) {
        List<BatchInfo> found = block.toBatches().stream().map(BatchInfo::of).toList();
        if (!found.equals(batches(blocks.get(next), positions[next]))) {
          throw new CorruptException(
              offset, "expected a list of the batches of block " + next + ", found one of others");
        }
      }
    }
  }

  /** Collects the list of a segment that is being written. Holds it. One thread. */
  static final class Writer {
    private final SliceSums.Builder sums = new SliceSums.Builder(SliceSums.USUAL_MILLIS);
    private final List<ByteBuffer> tables = new ArrayList<>();
    private long bytes;

    /** Adds a batch, whose table is added with its block. */
    void add(BatchIdentity batch, int payloadBytes) {
      sums.add(batch.topic(), batch.first(), batch.records(), payloadBytes);
    }

    /** Adds a block's table, which is copied. */
    void addTable(ByteBuffer table) {
      int length = table.remaining();
      bytes += length + SUM_BYTES;
      if (bytes > MAX_BYTES) {
        tables.clear();
        return;
      }
      var copy = ByteBuffer.allocate(length + SUM_BYTES).put(table.duplicate());
      tables.add(copy.putInt(Checksums.of(copy, 0, length)).flip());
    }

    /** Adds a block, and all of its batches. */
    void add(Block block) throws CorruptException {
      for (int i = 0; i < block.batches(); i++) {
        Block.BatchSpan batch = block.batch(i);
        sums.add(block.topic(), batch.first(), batch.records(), batch.to() - batch.from());
      }
      addTable(block.body().limit(block.from()));
    }

    /** The parts of the list, to be written one after the other; none if it is too long. */
    List<ByteBuffer> finish() {
      SliceSums all = sums.build();
      int slices = all.size() > SliceSums.MAX_SLICES ? 0 : all.size();
      if (bytes + headBytes(slices) > MAX_BYTES) {
        return List.of();
      }
      var head = ByteBuffer.allocate(headBytes(slices)).putInt(MAGIC).putInt(VERSION);
      head.putInt(tables.size()).putInt(slices).putLong(all.millis());
      if (slices > 0) {
        all.put(head);
      }
      head.putInt(Checksums.of(head, 0, head.position()));
      tables.addFirst(head.flip());
      return tables;
    }
  }
}
