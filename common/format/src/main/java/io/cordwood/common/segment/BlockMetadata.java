package io.cordwood.common.segment;

/**
 * All of a decoded block but its body, which somebody keeps elsewhere, uncompressed; {@link
 * BlockDecoder#over} makes a block of it again. Some 200 bytes; immutable.
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

  Topic topic() {
    return topic;
  }

  BlockHeader header() {
    return header;
  }

  long offset() {
    return offset;
  }
}
