package io.cordwood.common.segment;

import io.cordwood.common.segment.SegmentFooter.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.function.BiFunction;

/** The file of a store segment that is being written, from its beginning. For one thread. */
final class SegmentOutput {
  private final WritableByteChannel file;
  private long offset;

  /**
   * @param file at its present end, which must be its start
   */
  SegmentOutput(WritableByteChannel file) {
    this.file = file;
  }

  /** The place of the next bytes. */
  long offset() {
    return offset;
  }

  void write(ByteBuffer bytes) throws IOException {
    offset += bytes.remaining();
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  /**
   * Writes what comes after the filter: index, list of batches and footer.
   *
   * @param filterOffset where the filter begins, which ends here
   * @param footer made of the places of index and filter
   */
  void finish(
      long filterOffset,
      List<BlockInfo> blocks,
      BatchSectionWriter list,
      BiFunction<Part, Part, SegmentFooter> footer)
      throws IOException {
    var filter = new Part(filterOffset, offset - filterOffset);
    long indexOffset = offset;
    write(SegmentIndex.encode(blocks));
    var index = new Part(indexOffset, offset - indexOffset);
    for (ByteBuffer part : list.finish()) {
      write(part);
    }
    write(footer.apply(index, filter).encode());
  }
}
