package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A segment's lists of its blocks' batches, read block by block. Holds 12 bytes a block, and 8 for
 * each set of labels in the segment. One thread.
 */
public final class BatchLists {
  static final int SUM_BYTES = Integer.BYTES;

  private final ByteSource source;
  private final long[] positions;
  private final int[] setsOf;
  private final long[] identities;

  private BatchLists(ByteSource source, long[] positions, int[] setsOf, long[] identities) {
    this.source = source;
    this.positions = positions;
    this.setsOf = setsOf;
    this.identities = identities;
  }

  /** Those of a section of version 1, which begin at a position of the file. */
  static BatchLists plain(ByteSource source, long at, List<BlockInfo> blocks) {
    long[] positions = new long[blocks.size() + 1];
    positions[0] = at;
    for (int i = 0; i < blocks.size(); i++) {
      positions[i + 1] = positions[i] + plainBytes(blocks.get(i));
    }
    return new BatchLists(source, positions, new int[blocks.size()], new long[1]);
  }

  private static long plainBytes(BlockInfo block) {
    return (long) block.tableBytes() + SUM_BYTES;
  }

  /** Bytes of all lists in a section of version 1. */
  static long plainBytes(List<BlockInfo> blocks) {
    return blocks.stream().mapToLong(BatchLists::plainBytes).sum();
  }

  /**
   * Those of a section of version 2.
   *
   * @param directory identities of the labels, then length and sets of each block's list
   */
  static BatchLists labelled(
      ByteSource source, long at, ByteBuffer directory, int sets, int blocks) {
    long[] identities = new long[sets + 1];
    for (int i = 1; i <= sets; i++) {
      identities[i] = directory.getLong();
    }
    long[] positions = new long[blocks + 1];
    int[] setsOf = new int[blocks];
    positions[0] = at;
    for (int i = 0; i < blocks; i++) {
      positions[i + 1] = positions[i] + directory.getInt() + SUM_BYTES;
      setsOf[i] = directory.getInt();
    }
    return new BatchLists(source, positions, setsOf, identities);
  }

  /** The end of the last one. */
  long end() {
    return positions[positions.length - 1];
  }

  /** The identities of labels by their numbers in the segment. */
  long[] identities() {
    return identities;
  }

  /**
   * The batches of a block.
   *
   * @throws CorruptException if its list is damaged
   */
  public List<BatchInfo> of(BlockInfo block) throws IOException {
    int number = block.ordinal();
    long at = positions[number];
    long bytes = positions[number + 1] - at;
    int most = SUM_BYTES + BlockHeader.MAX_RAW_BYTES;
    if (bytes <= SUM_BYTES || bytes > most) {
      throw new CorruptException(
          at, "expected a list of 1 to %d bytes, found %d".formatted(most, bytes));
    }
    ByteBuffer list = ByteBuffer.allocate((int) bytes);
    source.read(list, at);
    int length = list.flip().limit() - SUM_BYTES;
    Checksums.check(list, 0, length, list.getInt(length), at, "a table of a list of batches");
    return read(block, list.limit(length), at, setsOf[number]);
  }

  private List<BatchInfo> read(BlockInfo block, ByteBuffer list, long at, int sets)
      throws CorruptException {
    long[] labels = labels(list, at, sets);
    var cursor = new BatchTable.Cursor(BlockHeader.of(block), list, sets, at);
    BatchTable.Sink<BatchInfo> sink =
        (set, first, _, records, from, to) ->
            new BatchInfo(block.topic(), first, labels[set], records, to - from);
    List<BatchInfo> batches = new ArrayList<>(block.batches());
    for (int i = 0; i < block.batches(); i++) {
      batches.add(cursor.read(sink));
    }
    cursor.end();
    return batches;
  }

  /** The identities of the labels that a block has, by their numbers in the block. */
  private long[] labels(ByteBuffer list, long at, int sets) throws CorruptException {
    if (sets < 0 || sets > list.limit()) {
      throw new CorruptException(at, "expected sets of labels, found " + sets);
    }
    long[] labels = new long[sets + 1];
    try {
      for (int i = 1; i <= sets; i++) {
        labels[i] = identities[Math.toIntExact(Varints.get(list))];
      }
    } catch (RuntimeException e) {
      throw new CorruptException(at, "expected the labels of a list of batches, found " + e);
    }
    return labels;
  }
}
