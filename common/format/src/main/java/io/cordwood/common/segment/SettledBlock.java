package io.cordwood.common.segment;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import io.cordwood.common.segment.BlockHeader.Codec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Makes settled blocks of others, with one dictionary. What it made is decompressed and compared
 * before it is given away, since it takes the place of what it was made of.
 *
 * <p>Holds buffers of some 9 MiB at the largest, and the dictionary in two forms of the library's.
 * One thread.
 */
final class SettledBlock implements AutoCloseable {
  private static final int COMPRESSION_LEVEL = 9;

  private final byte[] bytes;
  private final SegmentDictionary dictionary;
  private final ZstdDictCompress compressDictionary;
  private final ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(COMPRESSION_LEVEL);
  private final BlockDecoder check = new BlockDecoder();
  private ByteBuffer block = ByteBuffer.allocate(0);

  SettledBlock(byte[] dictionary) {
    this.bytes = dictionary;
    this.dictionary = SegmentDictionary.of(dictionary);
    this.compressDictionary = new ZstdDictCompress(dictionary, COMPRESSION_LEVEL);
    zstd.loadDict(compressDictionary);
  }

  byte[] dictionary() {
    return bytes;
  }

  /** Bytes of a block's settled form, or of the block as it is if that is not smaller. */
  int storedBytes(Block from, BlockInfo info) throws IOException {
    return of(from, info).map(ByteBuffer::remaining).orElse(info.storedBytes());
  }

  /**
   * The settled form of a block, valid until the next call; empty if that is not smaller.
   *
   * @param from as it was read
   * @param info that its index has of it
   */
  Optional<ByteBuffer> of(Block from, BlockInfo info) throws IOException {
    BlockHeader header = from.header();
    int rawBytes = header.rawBytes();
    int head = BlockHeader.BYTES + header.topicBytes();
    int body = head + Codec.SETTLED_PREFIX_BYTES;
    int bound = (int) Zstd.compressBound(rawBytes);
    if (block.capacity() < body + bound) {
      block = ByteBuffer.allocate(body + bound + bound / 4);
    }
    block.clear().putInt(head, info.storedBytes()).putInt(head + 4, header.bodySum());
    int compressed = zstd.compressByteArray(block.array(), body, bound, from.bytes(), 0, rawBytes);
    int storedBytes = Codec.SETTLED_PREFIX_BYTES + compressed;
    if (head + storedBytes >= info.storedBytes()) {
      return Optional.empty();
    }
    int bodySum = Checksums.of(block, head, storedBytes);
    header.settled(storedBytes, bodySum).encode(block, 0, from.topic());
    block.limit(head + storedBytes);
    compare(from, info);
    return Optional.of(block);
  }

  private void compare(Block from, BlockInfo info) throws IOException {
    Block again = check.decode(block, info.offset(), Optional.of(dictionary));
    int rawBytes = from.header().rawBytes();
    if (!Arrays.equals(from.bytes(), 0, rawBytes, again.bytes(), 0, rawBytes)) {
      throw new IOException(
          "block %d was compressed to something else: is this machine's memory sound?"
              .formatted(info.ordinal()));
    }
  }

  @Override
  public void close() {
    zstd.close();
    compressDictionary.close();
    check.close();
  }
}
