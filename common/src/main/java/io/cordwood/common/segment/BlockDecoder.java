package io.cordwood.common.segment;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads, checks and decompresses blocks, into buffers that it keeps: at most some 8 MiB. One thread
 * at a time.
 */
public final class BlockDecoder implements AutoCloseable {
  private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
  private ByteBuffer stored = ByteBuffer.allocate(128 << 10);
  private byte[] raw = new byte[512 << 10];

  /**
   * Reads the block that stands at an offset.
   *
   * @param blockBytes of the whole block, as the index says
   * @return the block, valid until the next call
   * @throws CorruptException if anything is not as its header, its checksums or the index say
   */
  public Block read(ByteSource source, long offset, int blockBytes) throws IOException {
    if (blockBytes < BlockHeader.BYTES || blockBytes > BlockHeader.MAX_BYTES) {
      throw new CorruptException(
          offset,
          "expected a block of %d to %d bytes, found %d"
              .formatted(BlockHeader.BYTES, BlockHeader.MAX_BYTES, blockBytes));
    }
    source.read(stored(blockBytes), offset);
    return decode(stored.flip(), offset);
  }

  /** The buffer for what is read from a file, with room for a number of bytes. */
  ByteBuffer stored(int bytes) {
    if (stored.capacity() < bytes) {
      stored = ByteBuffer.allocate(Math.min(2 * bytes, BlockHeader.MAX_BYTES));
    }
    return stored.clear().limit(bytes);
  }

  /** The array for payloads, with room for a number of bytes. */
  byte[] raw(int bytes) {
    if (raw.length < bytes) {
      raw = new byte[Math.min(2 * bytes, BlockHeader.MAX_RAW_BYTES)];
    }
    return raw;
  }

  /** Decodes a block that stands in a buffer, from index 0 to its limit. */
  Block decode(ByteBuffer bytes, long offset) throws CorruptException {
    BlockHeader header = BlockHeader.parse(bytes, 0, offset);
    if (header.blockBytes() != bytes.limit()) {
      throw new CorruptException(
          offset,
          "expected a block of %d bytes, found %d".formatted(bytes.limit(), header.blockBytes()));
    }
    Topic topic = header.checkHead(bytes, 0, offset);
    int body = BlockHeader.BYTES + header.topicBytes();
    Checksums.check(bytes, body, header.storedBytes(), header.bodySum(), offset, "a block's body");
    raw = raw(header.rawBytes());
    unpack(header, bytes.array(), bytes.arrayOffset() + body, offset);
    return new Block(topic, header, raw, offset);
  }

  private void unpack(BlockHeader header, byte[] from, int body, long offset)
      throws CorruptException {
    if (header.codec() == BlockHeader.Codec.PLAIN) {
      checkLength(header, header.storedBytes(), offset);
      System.arraycopy(from, body, raw, 0, header.rawBytes());
      return;
    }
    try {
      checkLength(
          header,
          zstd.decompressByteArray(raw, 0, header.rawBytes(), from, body, header.storedBytes()),
          offset);
    } catch (ZstdException e) {
      throw new CorruptException(offset, "expected a body of zstd, found " + e.getMessage());
    }
  }

  private static void checkLength(BlockHeader header, int found, long offset)
      throws CorruptException {
    if (found != header.rawBytes()) {
      throw new CorruptException(
          offset, "expected a body of %d raw bytes, found %d".formatted(header.rawBytes(), found));
    }
  }

  @Override
  public void close() {
    zstd.close();
  }
}
