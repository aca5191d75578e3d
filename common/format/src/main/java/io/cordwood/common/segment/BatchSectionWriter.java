package io.cordwood.common.segment;

import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the {@link BatchSection} of a segment that is being written. Holds it, and each set of
 * labels once. One thread.
 */
final class BatchSectionWriter {
  /** Text of labels, with the NUL after each set; a segment with more has no list. */
  static final int MAX_LABEL_TEXT_BYTES = 32 << 20;

  private final SliceSums.Builder sums = new SliceSums.Builder(SliceSums.USUAL_MILLIS);
  private final Map<Labels, Integer> numbers = new LinkedHashMap<>();
  private final LabelTotals<Labels> totals = new LabelTotals<>();
  private final List<Table> tables = new ArrayList<>();
  private long bytes;
  private long textBytes;

  /** A block's table with its checksum, and the sets that the block has. */
  private record Table(ByteBuffer bytes, int sets) {}

  /** Adds a batch, whose table is added with its block. */
  void add(Batch batch) {
    int payloadBytes = batch.payload().remaining();
    sums.add(batch, payloadBytes);
    if (!isTooLong()) {
      totals.add(batch.topic(), batch.labels(), batch.first(), batch.records(), payloadBytes);
    }
  }

  /** Adds a block, and all of its batches. */
  void add(Block block) throws CorruptException {
    for (Batch batch : block.toBatches()) {
      add(batch);
    }
    addTable(block.labels(), block.tableEntries());
  }

  /**
   * Adds a block's table.
   *
   * @param sets of labels that the block has
   * @param entries copied
   */
  void addTable(List<Labels> sets, ByteBuffer entries) {
    int length = entries.remaining();
    var copy = ByteBuffer.allocate(sets.size() * 5 + length + Integer.BYTES);
    for (Labels labels : sets) {
      Varints.put(copy, numbers.computeIfAbsent(labels, this::number));
    }
    copy.put(entries.duplicate());
    copy.putInt(Checksums.of(copy, 0, copy.position())).flip();
    bytes += copy.limit();
    if (isTooLong()) {
      tables.clear();
      numbers.clear();
      totals.clear();
    } else {
      tables.add(new Table(copy, sets.size()));
    }
  }

  private int number(Labels labels) {
    textBytes += labels.bytes().length + 1;
    return numbers.size() + 1;
  }

  private boolean isTooLong() {
    return bytes > BatchSection.MAX_BYTES || textBytes > MAX_LABEL_TEXT_BYTES;
  }

  /** The parts of the list, to be written one after the other; none if it is too long. */
  List<ByteBuffer> finish() {
    if (isTooLong()) {
      return List.of();
    }
    List<ByteBuffer> parts = new ArrayList<>();
    SliceSums all = sums.build();
    if (numbers.isEmpty()) {
      parts.add(head(all, BatchSection.VERSION_PLAIN, 0, 0));
    } else {
      byte[] raw = LabelPart.raw(numbers, textBytes, totals);
      if (raw.length == 0) {
        return List.of();
      }
      byte[] labels = LabelPart.compressed(raw);
      parts.add(head(all, BatchSection.VERSION_LABELLED, labels.length, raw.length));
      parts.add(directory());
      var summed = ByteBuffer.allocate(labels.length + Integer.BYTES).put(labels);
      parts.add(summed.putInt(Checksums.of(summed, 0, labels.length)).flip());
    }
    tables.forEach(table -> parts.add(table.bytes));
    long length = parts.stream().mapToLong(ByteBuffer::remaining).sum();
    return length > BatchSection.MAX_BYTES ? List.of() : parts;
  }

  private ByteBuffer head(SliceSums all, int version, int labelBytes, int rawLabelBytes) {
    boolean labelled = version == BatchSection.VERSION_LABELLED;
    int slices = all.size() > SliceSums.MAX_SLICES ? 0 : all.size();
    var head = ByteBuffer.allocate(BatchSection.headBytes(labelled, slices));
    head.putInt(BatchSection.MAGIC).putInt(version);
    head.putInt(tables.size()).putInt(slices).putLong(all.millis());
    if (slices > 0) {
      all.put(head);
    }
    if (labelled) {
      head.putInt(numbers.size()).putInt(labelBytes).putInt(rawLabelBytes);
    }
    return head.putInt(Checksums.of(head, 0, head.position())).flip();
  }

  private ByteBuffer directory() {
    int length = (int) BatchSection.directoryBytes(numbers.size(), tables.size());
    var directory = ByteBuffer.allocate(length);
    numbers.keySet().forEach(labels -> directory.putLong(labels.identity()));
    for (Table table : tables) {
      directory.putInt(table.bytes.remaining() - Integer.BYTES).putInt(table.sets);
    }
    return directory.putInt(Checksums.of(directory, 0, directory.position())).flip();
  }
}
