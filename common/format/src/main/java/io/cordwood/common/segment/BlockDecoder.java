package io.cordwood.common.segment;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads, checks and decompresses blocks, into buffers that it keeps: at most some 8 MiB, and one
 * dictionary. One thread at a time.
 */
public final class BlockDecoder implements AutoCloseable {
  private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
  private @Nullable ZstdDecompressCtx settledZstd;
  private byte @Nullable [] loadedDictionary;
  private ByteBuffer stored = ByteBuffer.allocate(128 << 10);
  private byte[] raw = new byte[512 << 10];

  /**
   * Reads the block that stands at an offset of a segment without a dictionary.
   *
   * @param blockBytes of the whole block, as the index says
   * @return the block, valid until the next call
   * @throws CorruptException if anything is not as its header, its checksums or the index say
   */
  public Block read(ByteSource source, long offset, int blockBytes) throws IOException {
    return read(source, offset, blockBytes, Optional.empty());
  }

  /** Reads the block that stands at an offset of a segment with a dictionary, or without. */
  Block read(ByteSource source, long offset, int blockBytes, Optional<SegmentDictionary> dictionary)
      throws IOException {
    if (blockBytes < BlockHeader.BYTES || blockBytes > BlockHeader.MAX_BYTES) {
      throw new CorruptException(
          offset,
          "expected a block of %d to %d bytes, found %d"
              .formatted(BlockHeader.BYTES, BlockHeader.MAX_BYTES, blockBytes));
    }
    source.read(stored(blockBytes), offset);
    return decode(stored.flip(), offset, dictionary);
  }

  /**
   * The block that is not read, since its body is kept elsewhere; valid until the next one is read.
   * Its array has room for its payloads, but they are not there: they stay in the body.
   *
   * @param body as it was put somewhere; what was written over since makes a block of nonsense, or
   *     one whose table is damaged
   */
  public Block over(MemorySegment body, BlockMetadata rest) {
    byte[] bytes = raw(rest.bodyBytes());
    BlockHeader header = rest.header();
    MemorySegment.copy(body, ValueLayout.JAVA_BYTE, 0, bytes, 0, header.tableBytes());
    return new Block(rest.topic(), header, bytes, rest.offset());
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
  Block decode(ByteBuffer bytes, long offset, Optional<SegmentDictionary> dictionary)
      throws IOException {
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
    unpack(header, bytes.array(), bytes.arrayOffset() + body, offset, dictionary);
    return new Block(topic, header, raw, offset);
  }

  private void unpack(
      BlockHeader header,
      byte[] from,
      int body,
      long offset,
      Optional<SegmentDictionary> dictionary)
      throws IOException {
    switch (header.codec()) {
      case PLAIN -> {
        checkLength(header, header.storedBytes(), offset);
        System.arraycopy(from, body, raw, 0, header.rawBytes());
      }
      case ZSTD -> unpack(zstd, header, from, body, header.storedBytes(), offset);
      case SETTLED -> {
        if (dictionary.isEmpty()) {
          throw new CorruptException(
              offset, "expected a segment with a dictionary for a settled block, found none");
        }
        int prefix = BlockHeader.Codec.SETTLED_PREFIX_BYTES;
        unpack(
            with(dictionary.get().bytes(), offset),
            header,
            from,
            body + prefix,
            header.storedBytes() - prefix,
            offset);
      }
    }
  }

  private void unpack(
      ZstdDecompressCtx context, BlockHeader header, byte[] from, int at, int bytes, long offset)
      throws CorruptException {
    try {
      int found = context.decompressByteArray(raw, 0, header.rawBytes(), from, at, bytes);
      checkLength(header, found, offset);
    } catch (ZstdException e) {
      throw new CorruptException(offset, "expected a body of zstd, found " + e.getMessage());
    }
  }

  /** The context for a dictionary, which is loaded only when it is another one than before. */
  @SuppressWarnings("ReferenceEquality") // Of another segment, even with the same bytes: no matter.
  private ZstdDecompressCtx with(byte[] dictionary, long offset) throws CorruptException {
    ZstdDecompressCtx context = settledZstd;
    if (context == null) {
      context = new ZstdDecompressCtx();
      settledZstd = context;
    }
    if (dictionary != loadedDictionary) {
      loadedDictionary = null;
      try {
        context.loadDict(dictionary);
      } catch (ZstdException e) {
        throw new CorruptException(offset, "expected a dictionary of zstd: " + e.getMessage());
      }
      loadedDictionary = dictionary;
    }
    return context;
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
    if (settledZstd != null) {
      settledZstd.close();
    }
  }
}
