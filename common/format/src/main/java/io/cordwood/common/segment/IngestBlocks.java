package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.BatchTable.Entry;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ingest segment as queries see it, before a store has consumed it: blocks that are put together
 * of its batches when they are read. It has no filter. A block with damaged batches is read without
 * them. Its file may be appended to, renamed and deleted meanwhile, as long as it stays open.
 *
 * @param source the file, kept open by the owner
 */
public record IngestBlocks(IngestLayout layout, ByteSource source) implements Segment {
  /** A stretch of the file is read at once if at most this many times the block's bytes. */
  private static final int MOST_STRETCH = 2;

  @Override
  public UlidRange range() {
    return layout.range();
  }

  @Override
  public List<BlockInfo> blocks() {
    return layout.blocks();
  }

  @Override
  public boolean isUnconsumed() {
    return true;
  }

  @Override
  public SegmentTotals totals() {
    return SegmentTotals.of(blocks());
  }

  @Override
  public List<LabelSummary> labels() {
    return layout.labels();
  }

  /** All of them. */
  @Override
  public BitSet candidates(List<AnyOf> required) {
    var all = new BitSet(blocks().size());
    all.set(0, blocks().size());
    return all;
  }

  @Override
  public Block read(BlockInfo block, BlockDecoder decoder) throws IOException {
    return new Reader(block, decoder).read();
  }

  private final class Reader {
    private final BlockInfo block;
    private final BlockDecoder decoder;
    private final int firstBatch;
    private final int endBatch;
    private final byte[] raw;
    private int at;

    Reader(BlockInfo block, BlockDecoder decoder) {
      this.block = block;
      this.decoder = decoder;
      this.firstBatch = layout.firstBatch(block.ordinal());
      this.endBatch = layout.firstBatch(block.ordinal() + 1);
      this.raw = decoder.raw(block.rawBytes());
    }

    Block read() throws IOException {
      int from = Integer.MAX_VALUE;
      int to = 0;
      for (int i = firstBatch; i < endBatch; i++) {
        from = Math.min(from, layout.position(i));
        to = Math.max(to, layout.position(i) + layout.length(i));
      }
      boolean together = to - from <= MOST_STRETCH * block.storedBytes();
      ByteBuffer stretch = together ? load(from, to - from) : ByteBuffer.allocate(0);
      List<Entry> entries = new ArrayList<>(endBatch - firstBatch);
      @Nullable CorruptException damage = null;
      for (int i = firstBatch; i < endBatch; i++) {
        int position = layout.position(i);
        ByteBuffer bytes = together ? stretch : load(position, layout.length(i));
        try {
          entries.add(add(bytes, together ? position - from : 0, i));
        } catch (CorruptException e) {
          damage = e;
        }
      }
      if (damage != null && entries.isEmpty()) {
        throw damage;
      }
      return new Block(block, entries.toArray(Entry[]::new), raw, at);
    }

    private ByteBuffer load(int position, int length) throws IOException {
      ByteBuffer bytes = decoder.stored(length);
      source.read(bytes, position);
      return bytes.flip();
    }

    /** Checks a batch that stands in a buffer, and adds its payload to the block. */
    private Entry add(ByteBuffer bytes, int index, int number) throws CorruptException {
      int position = layout.position(number);
      BatchHeader header = BatchHeader.parse(bytes, index, position);
      if (header.batchBytes() != layout.length(number)) {
        throw new CorruptException(
            position,
            "expected a batch of %d bytes, found %d"
                .formatted(layout.length(number), header.batchBytes()));
      }
      Batch batch = Batch.read(header, bytes, index, position);
      int from = at;
      at += batch.payload().remaining();
      batch.payload().get(batch.payload().position(), raw, from, at - from);
      return new Entry(batch.labels(), batch.first(), batch.delimiter(), batch.records(), from, at);
    }
  }
}
