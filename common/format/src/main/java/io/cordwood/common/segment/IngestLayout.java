package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How the batches of an ingest segment, which stand there in the order of their arrival, are read
 * in the order of topic and ULID: in blocks of neighbours. Holds 8 bytes a batch, some 150 a block
 * and as many, and their text, for labels; while it is made, some 50 a batch. Immutable.
 *
 * <p>A segment has less than 2 GiB.
 */
public final class IngestLayout {
  /** Bytes of a block's batches in the file, unless it is a single batch. */
  static final int BLOCK_BYTES = 256 << 10;

  private static final long BLOCK_HEAP_BYTES = 150;
  private static final long LABELS_HEAP_BYTES = 150;

  private final UlidRange range;
  private final List<BlockInfo> blocks;
  private final int[] positions;
  private final int[] lengths;
  private final int[] starts;
  private final List<LabelSummary> labels;

  private IngestLayout(Blocks made) {
    this.blocks = List.copyOf(made.blocks);
    this.range = blocks.stream().map(BlockInfo::range).reduce(UlidRange::union).orElseThrow();
    this.positions = Arrays.copyOf(made.positions, made.batches);
    this.lengths = Arrays.copyOf(made.lengths, made.batches);
    this.starts = Arrays.copyOf(made.starts, made.blocks.size() + 1);
    this.starts[made.blocks.size()] = made.batches;
    this.labels = LabelTotals.summaries(made.totals);
  }

  /**
   * Reads the headers of a segment's batches. What is no batch is damage, and stepped over.
   *
   * @param bytes of the segment; what is after them is not looked at
   * @return empty if there is no batch
   */
  public static Optional<IngestLayout> of(ByteSource source, long bytes) throws IOException {
    BatchIndex index = index(source, bytes);
    return index.size() == 0 ? Optional.empty() : Optional.of(new IngestLayout(new Blocks(index)));
  }

  /** Whether a batch of a segment has labels. Reads the headers, as {@link #of} does. */
  public static boolean isLabelled(ByteSource source, long bytes) throws IOException {
    return index(source, bytes).hasLabels();
  }

  private static BatchIndex index(ByteSource source, long bytes) throws IOException {
    var index = new BatchIndex();
    int end = Math.toIntExact(bytes);
    var walk = new BatchWalk(source, IngestSegmentHeader.BYTES, end);
    long stopped = walk.run(head -> index.add(head.from(), head.header(), (int) head.payloadAt()));
    if (stopped < end) {
      addIntact(new BatchScanner(source::read, stopped, end), index);
    }
    return index;
  }

  private static void addIntact(BatchScanner scanner, BatchIndex index) throws IOException {
    while (true) {
      switch (scanner.next()) {
        case BatchScanner.Intact intact -> {
          index.add(Batch.of(intact), 0, (int) intact.payloadAt());
        }
        case BatchScanner.Damage _ -> {} // Named and counted by those who keep the segment.
        case BatchScanner.End _ -> {
          return;
        }
      }
    }
  }

  /** The segment's range of ULIDs. */
  public UlidRange range() {
    return range;
  }

  /** How many batches there are. */
  public int batches() {
    return positions.length;
  }

  /** About how much memory this takes. */
  public long heapBytes() {
    long labelBytes = labels.stream().mapToLong(it -> it.labels().bytes().length).sum();
    return BLOCK_HEAP_BYTES * (1 + blocks.size())
        + 2L * Integer.BYTES * batches()
        + LABELS_HEAP_BYTES * labels.size()
        + labelBytes;
  }

  /** The sums of each topic and labels. */
  List<LabelSummary> labels() {
    return labels;
  }

  List<BlockInfo> blocks() {
    return blocks;
  }

  /** The first batch of a block; that of the next one ends it. */
  int firstBatch(int block) {
    return starts[block];
  }

  /** The position of a batch in the file. */
  int position(int batch) {
    return positions[batch];
  }

  /** Bytes of a whole batch in the file. */
  int length(int batch) {
    return lengths[batch];
  }

  /** Makes blocks of sorted batches; the same batch received twice is taken once. */
  private static final class Blocks {
    private final BatchIndex index;
    private final List<BlockInfo> blocks = new ArrayList<>();
    private final int[] positions;
    private final int[] lengths;
    private final LabelTotals<Labels> totals = new LabelTotals<>();
    private int[] starts = new int[16];
    private int batches;

    Blocks(BatchIndex index) {
      this.index = index;
      int[] sorted = index.sorted();
      this.positions = new int[sorted.length];
      this.lengths = new int[sorted.length];
      for (int from = 0; from < sorted.length; ) {
        from = add(sorted, from);
      }
    }

    /** Adds a block of the batches from an index on; gives the index after it. */
    private int add(int[] sorted, int from) {
      int first = sorted[from];
      Topic topic = index.topic(first);
      UlidRange range = range(first);
      int stored = 0;
      int raw = 0;
      int records = 0;
      int start = batches;
      int at = from;
      for (; at < sorted.length && index.topic(sorted[at]).equals(topic); at++) {
        int next = sorted[at];
        int bytes = index.headBytes(next) + index.bytes(next);
        if (stored > 0 && stored + bytes > BLOCK_BYTES) {
          break;
        }
        if (at == 0 || !index.isSame(sorted[at - 1], next)) {
          range = range.union(range(next));
          stored += bytes;
          records += index.records(next);
          raw += index.bytes(next);
          addTotal(next);
          positions[batches] = index.position(next) - index.headBytes(next);
          lengths[batches++] = bytes;
        }
      }
      if (batches > start) {
        close(topic, range, start, stored, raw, records);
      }
      return at;
    }

    private void addTotal(int entry) {
      totals.add(
          index.topic(entry),
          index.labels(entry),
          index.first(entry),
          index.records(entry),
          index.bytes(entry));
    }

    private UlidRange range(int entry) {
      return UlidRange.of(index.first(entry), index.records(entry));
    }

    private void close(Topic topic, UlidRange range, int start, int stored, int raw, int records) {
      int ordinal = blocks.size();
      if (ordinal + 1 == starts.length) {
        starts = Arrays.copyOf(starts, 2 * starts.length);
      }
      starts[ordinal] = start;
      blocks.add(
          new BlockInfo(
              ordinal, topic, range, positions[start], stored, raw, batches - start, records, 0));
    }
  }
}
