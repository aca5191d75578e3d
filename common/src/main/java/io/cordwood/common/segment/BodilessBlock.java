package io.cordwood.common.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * All of a decoded block but its body, which somebody keeps elsewhere, uncompressed: {@link
 * Block#body} is put there, and {@link #read} makes the block whole again. Some 200 bytes;
 * immutable.
 */
public final class BodilessBlock {
  private final Topic topic;
  private final BlockHeader header;
  private final long offset;
  private final int bodySum;

  BodilessBlock(Topic topic, BlockHeader header, long offset, byte[] body) {
    this.topic = topic;
    this.header = header;
    this.offset = offset;
    this.bodySum = sum(body, header.rawBytes());
  }

  /** Bytes of the body. */
  public int bodyBytes() {
    return header.rawBytes();
  }

  /**
   * Reads the body into the decoder's buffers; the block is valid until the decoder reads another.
   *
   * @param at where the body stands
   * @throws CorruptException if it is not the body that was put there
   */
  public Block read(ByteSource bodies, long at, BlockDecoder decoder) throws IOException {
    byte[] body = decoder.raw(bodyBytes());
    bodies.read(ByteBuffer.wrap(body, 0, bodyBytes()), at);
    int found = sum(body, bodyBytes());
    if (found != bodySum) {
      throw new CorruptException(
          at, "expected a body with checksum %08x, found %08x".formatted(bodySum, found));
    }
    return new Block(topic, header, body, offset);
  }

  private static int sum(byte[] body, int length) {
    var crc = new CRC32C();
    crc.update(body, 0, length);
    return (int) crc.getValue();
  }
}
