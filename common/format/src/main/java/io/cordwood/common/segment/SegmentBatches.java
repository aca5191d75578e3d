package io.cordwood.common.segment;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All batches of a segment, in the order of its blocks. Holds one decoded block. One thread. */
public final class SegmentBatches implements AutoCloseable {
  private final Segment segment;
  private @Nullable Iterator<BlockInfo> blocks;
  private final BlockDecoder decoder = new BlockDecoder();
  private Iterator<Batch> batches = List.<Batch>of().iterator();

  public SegmentBatches(Segment segment) {
    this.segment = segment;
  }

  /** The next batch, valid until the one after it; null after the last. */
  public @Nullable Batch next() throws IOException {
    if (blocks == null) {
      blocks = segment.blocks().iterator();
    }
    while (!batches.hasNext()) {
      if (!blocks.hasNext()) {
        return null;
      }
      batches = segment.read(blocks.next(), decoder).toBatches().iterator();
    }
    return batches.next();
  }

  @Override
  public void close() {
    decoder.close();
  }
}
