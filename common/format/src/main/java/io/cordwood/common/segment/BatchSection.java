package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The list of a segment's batches, which is read without any block: the fingerprints of its slices,
 * and the batch tables of its blocks again, not compressed. Numbers are big endian.
 *
 * <pre>
 *   0   4  magic     FD 43 57 54
 *   4   4  version   1, or 2 if a batch has labels
 *   8   4  blocks    their count M
 *  12   4  slices    their count K; 0 if there would be more than 65,536
 *  16   8  length    milliseconds of a slice
 *  24      slices    K times 48 bytes, ascending:
 *            0  8  number: start in milliseconds since 1970, divided by the length
 *            8  8  batches
 *           16  8  records
 *           24  8  bytes of the payloads
 *           32 16  {@link Fingerprint}
 *       4  sets      version 2: different labels in the segment, their count S
 *       4  labels    version 2: stored bytes L of the labels
 *       4  raw       version 2: their bytes before compression
 *       4  head sum  CRC-32C of all before
 *          directory version 2: S times 8 bytes, {@link io.cordwood.common.wire.Labels#identity}, and M times:
 *            0  4  length of the block's table
 *            4  4  sets that the block has
 *            4  CRC-32C of the directory
 *       L  labels    version 2: {@link LabelPart}
 *       4            version 2: CRC-32C of it
 *          tables    for each block, in the order of the index: the entries of its {@link BatchTable};
 *                    before them, for each set of the block, a varint: its number in the segment
 *                    4  CRC-32C of the table
 * </pre>
 *
 * <p>For all threads. Holds the fingerprints.
 */
final class BatchSection {
  static final int MAGIC = 0xFD435754;
  static final int VERSION_PLAIN = 1;
  static final int VERSION_LABELLED = 2;

  /** A segment whose list would be longer has none. */
  static final int MAX_BYTES = 32 << 20;

  private static final int FIXED_BYTES = 24;
  private static final int LABELS_BYTES = 12;
  private static final int SUM_BYTES = Integer.BYTES;

  /** Most lists have a shorter head, which is read at once. */
  private static final int FIRST_READ_BYTES = 1 << 10;

  private final ByteSource source;
  private final long offset;
  private final int bytes;
  private final Optional<SliceSums> sums;
  private final Sizes sizes;

  /** How long the parts are; all 0 in version 1. */
  private record Sizes(int headBytes, int sets, int labelBytes, int rawLabelBytes) {}

  private BatchSection(
      ByteSource source, long offset, int bytes, Optional<SliceSums> sums, Sizes sizes) {
    this.source = source;
    this.offset = offset;
    this.bytes = bytes;
    this.sums = sums;
    this.sizes = sizes;
  }

  /** All of it. */
  int bytes() {
    return bytes;
  }

  /** Empty if they are too many; the tables tell them then. */
  Optional<SliceSums> sums() {
    return sums;
  }

  boolean isLabelled() {
    return sizes.sets > 0;
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
    boolean labelled = isLabelled(head, length, offset);
    int slices = head.getInt(12);
    int headBytes = slices < 0 || slices > SliceSums.MAX_SLICES ? 0 : headBytes(labelled, slices);
    if (head.getInt(8) != blocks.size() || headBytes == 0 || headBytes > length) {
      throw other(offset, length, head, blocks);
    }
    head = headBytes <= head.limit() ? head : read(source, offset, headBytes);
    int checked = headBytes - SUM_BYTES;
    Checksums.check(
        head, 0, checked, head.getInt(checked), offset, "the head of a list of batches");
    int at = checked - LABELS_BYTES;
    Sizes sizes =
        labelled
            ? new Sizes(headBytes, head.getInt(at), head.getInt(at + 4), head.getInt(at + 8))
            : new Sizes(headBytes, 0, 0, 0);
    if (!fits(sizes, labelled, length, blocks)) {
      throw other(offset, length, head, blocks);
    }
    return new BatchSection(source, offset, (int) length, sums(head, slices, offset), sizes);
  }

  private static boolean isLabelled(ByteBuffer head, long length, long offset)
      throws CorruptException {
    boolean isHead = length >= FIXED_BYTES + SUM_BYTES && head.getInt(0) == MAGIC;
    int version = isHead ? head.getInt(4) : 0;
    if (version != VERSION_PLAIN && version != VERSION_LABELLED) {
      throw new CorruptException(offset, "expected a list of batches FD435754, version 1 or 2");
    }
    return version == VERSION_LABELLED;
  }

  private static CorruptException other(
      long offset, long length, ByteBuffer head, List<BlockInfo> blocks) {
    return new CorruptException(
        offset,
        "expected a list of the batches of %d blocks in %d bytes, found %d blocks, %d slices"
            .formatted(blocks.size(), length, head.getInt(8), head.getInt(12)));
  }

  private static boolean fits(Sizes sizes, boolean labelled, long length, List<BlockInfo> blocks) {
    if (!labelled) {
      return sizes.headBytes + BatchLists.plainBytes(blocks) == length;
    }
    return sizes.sets > 0
        && sizes.labelBytes > 0
        && sizes.rawLabelBytes > 0
        && sizes.rawLabelBytes <= LabelPart.MAX_BYTES
        && sizes.headBytes + directoryBytes(sizes.sets, blocks.size()) + sizes.labelBytes < length;
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

  static int headBytes(boolean labelled, int slices) {
    return FIXED_BYTES + slices * SliceSums.SLICE_BYTES + (labelled ? LABELS_BYTES : 0) + SUM_BYTES;
  }

  static long directoryBytes(int sets, int blocks) {
    return ((long) sets + blocks) * Long.BYTES + SUM_BYTES;
  }

  /**
   * The lists of the blocks.
   *
   * @throws CorruptException if their directory is damaged
   */
  BatchLists lists(List<BlockInfo> blocks) throws IOException {
    long at = offset + sizes.headBytes;
    if (!isLabelled()) {
      return BatchLists.plain(source, at, blocks);
    }
    ByteBuffer directory = read(source, at, (int) directoryBytes(sizes.sets, blocks.size()));
    int checked = directory.limit() - SUM_BYTES;
    int sum = directory.getInt(checked);
    Checksums.check(directory, 0, checked, sum, at, "the directory of a list of batches");
    long tables = at + directory.limit() + sizes.labelBytes + SUM_BYTES;
    var lists = BatchLists.labelled(source, tables, directory, sizes.sets, blocks.size());
    if (lists.end() != offset + bytes) {
      throw new CorruptException(
          at,
          "expected lists of batches up to %d, found them up to %d"
              .formatted(offset + bytes, lists.end()));
    }
    return lists;
  }

  /**
   * The sums of each topic and labels; reads no table.
   *
   * @throws CorruptException if that is damaged
   */
  List<LabelSummary> labels(List<BlockInfo> blocks) throws IOException {
    return labelPart(blocks).summaries();
  }

  private LabelPart labelPart(List<BlockInfo> blocks) throws IOException {
    long at = offset + sizes.headBytes + directoryBytes(sizes.sets, blocks.size());
    ByteBuffer stored = read(source, at, sizes.labelBytes + SUM_BYTES);
    int sum = stored.getInt(sizes.labelBytes);
    Checksums.check(stored, 0, sizes.labelBytes, sum, at, "the labels of a list of batches");
    return LabelPart.decode(stored.limit(sizes.labelBytes), sizes.rawLabelBytes, blocks, at);
  }

  /** Checks all of it: every table, and that fingerprints and labels are those of the batches. */
  void check(List<BlockInfo> blocks) throws IOException {
    BatchLists lists = lists(blocks);
    var found = new SliceSums.Builder(sums.map(SliceSums::millis).orElse(SliceSums.USUAL_MILLIS));
    var totals = new LabelTotals<Long>();
    for (BlockInfo block : blocks) {
      for (BatchInfo it : lists.of(block)) {
        found.add(it, it.bytes());
        totals.add(it.topic(), it.labelsIdentity(), it.first(), it.records(), it.bytes());
      }
    }
    if (sums.isPresent() && !sums.get().equals(found.build())) {
      throw new CorruptException(
          offset, "expected the fingerprints of its batches in a list of batches, found others");
    }
    if (isLabelled() && !labelPart(blocks).isOf(totals, lists.identities())) {
      throw new CorruptException(
          offset, "expected the labels of its batches in a list of batches, found others");
    }
  }

  /** The tables, to be compared with those in the blocks. */
  Tables tables(List<BlockInfo> blocks) throws IOException {
    return new Tables(blocks, lists(blocks));
  }

  /** The tables of blocks that are asked for in the order of the file. One thread. */
  final class Tables {
    private final List<BlockInfo> blocks;
    private final BatchLists lists;
    private int next;

    private Tables(List<BlockInfo> blocks, BatchLists lists) {
      this.blocks = blocks;
      this.lists = lists;
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
        if (!found.equals(lists.of(blocks.get(next)))) {
          throw new CorruptException(
              offset, "expected a list of the batches of block " + next + ", found one of others");
        }
      }
    }
  }
}
