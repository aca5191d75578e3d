package io.cordwood.common.segment;

import io.cordwood.common.segment.BatchTable.Entry;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts together what is left of a block without some records. */
final class CutBlock {
  private CutBlock() {}

  /** Empty if nothing is left. The other block's memory is not used by it. */
  static Optional<Block> of(Block whole, LeftOut leftOut) throws CorruptException {
    List<Batch> rest = new ArrayList<>();
    for (Batch batch : whole.toBatches()) {
      rest.addAll(batch.without(leftOut));
    }
    if (rest.isEmpty()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[rest.stream().mapToInt(it -> it.payload().remaining()).sum()];
    var entries = new Entry[rest.size()];
    UlidRange range = rest.getFirst().range();
    int records = 0;
    int at = 0;
    for (int i = 0; i < entries.length; i++) {
      Batch batch = rest.get(i);
      int end = at + batch.payload().remaining();
      batch.payload().get(batch.payload().position(), bytes, at, end - at);
      entries[i] =
          new Entry(batch.labels(), batch.first(), batch.delimiter(), batch.records(), at, end);
      range = range.union(batch.range());
      records += batch.records();
      at = end;
    }
    int batches = entries.length + whole.damagedBatches();
    var info = new BlockInfo(0, whole.topic(), range, 0, at, at, batches, records, 0);
    return Optional.of(new Block(info, entries, bytes, at));
  }
}
