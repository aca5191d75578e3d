package io.cordwood.common.segment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * All of a decoded block but its body, which somebody keeps elsewhere, uncompressed; {@link #over}
 * makes a block of it again. Some 200 bytes; immutable.
 */
public final class BlockMetadata {
  private final Topic topic;
  private final BlockHeader header;
  private final long offset;

  BlockMetadata(Topic topic, BlockHeader header, long offset) {
    this.topic = topic;
    this.header = header;
    this.offset = offset;
  }

  /** Bytes of the body. */
  public int bodyBytes() {
    return header.rawBytes();
  }

  /**
   * The block, valid until the decoder reads another. Its array has room for its payloads, but they
   * are not there: they stay in the body.
   *
   * @param body as it was put somewhere; what was written over since makes a block of nonsense, or
   *     one whose table is damaged
   */
  public Block over(MemorySegment body, BlockDecoder decoder) {
    byte[] bytes = decoder.raw(bodyBytes());
    MemorySegment.copy(body, ValueLayout.JAVA_BYTE, 0, bytes, 0, header.tableBytes());
    return new Block(topic, header, bytes, offset);
  }
}
