package io.cordwood.common.segment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Writes a store segment anew in its settled form, in which it is kept for long: the same blocks
 * with the same filter, each compressed harder, and with a dictionary of the segment's own bytes.
 *
 * <pre>
 *   16      header       version 2
 *           dictionary   {@link SegmentDictionary}
 *           blocks       in the same order, with the same batches; {@link BlockHeader}
 *           dictionary   again
 *           filter       copied
 *           index        {@link SegmentIndex}
 *   96      footer       version 2
 * </pre>
 *
 * <p>The dictionary is made of pieces from all over the segment, if that saves a twentieth of some
 * blocks. Otherwise it is a line feed alone, since a longer one takes time to decompress with. A
 * block that would not be smaller is copied. Nothing is durable until the caller has forced the
 * file and its folder. Memory: two blocks, and some MiB of the library's. One thread.
 */
public final class SegmentSettler implements AutoCloseable {
  private static final int MAX_DICTIONARY_BYTES = 256 << 10;
  private static final int MIN_DICTIONARY_BYTES = 256;
  private static final int PIECE_BYTES = 4 << 10;

  /** Bytes of blocks, before compression, for each byte of the dictionary. */
  private static final int RAW_TO_DICTIONARY = 256;

  /** As many blocks are tried with and without the pieces. */
  private static final int TRIED_BLOCKS = 8;

  /** A part of the bytes that a dictionary must save. */
  private static final int WORTH_IT = 20;

  /** Begins every dictionary, so that none is taken for one in zstd's own format. */
  private static final byte[] NO_PIECES = {'\n'};

  /** Most bytes of a filter that are copied at once. */
  private static final int COPIED_BYTES = 64 << 10;

  private final StoreSegment source;
  private final WritableByteChannel target;
  private final BlockDecoder decoder = new BlockDecoder();
  private final Iterator<BlockInfo> next;
  private final List<BlockInfo> written = new ArrayList<>();
  private final ByteBuffer dictionary;
  private final SettledBlock blocks;
  private long offset;

  /** A source that cannot be read, or is damaged; the cause says where. */
  public static final class SourceException extends IOException {
    private static final long serialVersionUID = 1;

    SourceException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Something that is read of the source. */
  private interface Read<T> {
    T get() throws IOException;
  }

  /**
   * Begins the segment.
   *
   * @param source not settled; open for as long as this is used
   * @param target at its present end, which must be its start; stays the caller's
   * @throws SourceException if the source cannot be read
   */
  public SegmentSettler(StoreSegment source, WritableByteChannel target) throws IOException {
    this.source = source;
    this.target = target;
    List<BlockInfo> all = read(source::blocks);
    this.next = all.iterator();
    this.blocks = read(() -> withPiecesIfWorthIt(all));
    this.dictionary = SegmentDictionary.encode(blocks.dictionary());
    write(StoreSegmentHeader.encode(StoreSegmentHeader.VERSION_SETTLED));
    write(dictionary.duplicate());
  }

  private static <T> T read(Read<T> what) throws IOException {
    try {
      return what.get();
    } catch (IOException e) {
      throw new SourceException(e);
    }
  }

  private SettledBlock withPiecesIfWorthIt(List<BlockInfo> all) throws IOException {
    var with = new SettledBlock(pieces(all));
    var without = new SettledBlock(NO_PIECES);
    long bytesWith = 0;
    long bytesWithout = 0;
    int tried = Math.min(TRIED_BLOCKS, all.size());
    try {
      for (int i = 0; i < tried; i++) {
        BlockInfo info = all.get((int) ((i + 0.5) * all.size() / tried));
        Block block = source.read(info, decoder);
        bytesWith += with.storedBytes(block, info);
        bytesWithout += without.storedBytes(block, info);
      }
    } catch (IOException e) {
      with.close();
      without.close();
      throw e;
    }
    boolean worthIt = bytesWith <= bytesWithout - bytesWithout / WORTH_IT;
    (worthIt ? without : with).close();
    return worthIt ? with : without;
  }

  /** From as many stretches of the blocks as there are pieces, from a block of each; the same. */
  private byte[] pieces(List<BlockInfo> all) throws IOException {
    long bytes =
        Math.clamp(
            source.totals().rawBytes() / RAW_TO_DICTIONARY,
            MIN_DICTIONARY_BYTES,
            MAX_DICTIONARY_BYTES);
    int pieces = (int) Math.max(1, bytes / PIECE_BYTES);
    var random = new Random(all.size());
    var joined = new ByteArrayOutputStream();
    joined.writeBytes(NO_PIECES);
    for (int i = 0; i < pieces; i++) {
      int ordinal = (int) ((i + random.nextDouble()) * all.size() / pieces);
      Block block = source.read(all.get(ordinal), decoder);
      int length = Math.min((int) bytes / pieces, block.to() - block.from());
      int from = block.from() + random.nextInt(block.to() - block.from() - length + 1);
      joined.write(block.bytes(), from, length);
    }
    return joined.toByteArray();
  }

  /**
   * Writes the next block, or what comes after the last one.
   *
   * @return bytes of the block before compression; 0 when all is written
   * @throws SourceException if the source cannot be read
   */
  public int step() throws IOException {
    if (!next.hasNext()) {
      finish();
      return 0;
    }
    BlockInfo info = next.next();
    Block block = read(() -> source.read(info, decoder));
    Optional<ByteBuffer> settled = blocks.of(block, info);
    ByteBuffer bytes = settled.isPresent() ? settled.get() : read(() -> copy(info));
    written.add(info.at(offset, bytes.remaining()));
    write(bytes);
    return info.rawBytes();
  }

  private ByteBuffer copy(BlockInfo info) throws IOException {
    var bytes = ByteBuffer.allocate(info.storedBytes());
    source.source().read(bytes, info.offset());
    return bytes.flip();
  }

  private void finish() throws IOException {
    write(dictionary.duplicate());
    SegmentFooter was = read(() -> StoreSegment.readFooter(source.source()));
    long filterOffset = offset;
    copyFilter(was);
    long indexOffset = offset;
    write(SegmentIndex.encode(written));
    write(
        new SegmentFooter(
                indexOffset,
                offset - indexOffset,
                filterOffset,
                was.filterBytes(),
                was.records(),
                was.payloadBytes(),
                was.range(),
                dictionary.limit())
            .encode());
  }

  private void copyFilter(SegmentFooter was) throws IOException {
    read(() -> {
      SegmentCheck.checkFilter(source.source(), was);
      return was;
    });
    long end = was.filterOffset() + was.filterBytes();
    for (long at = was.filterOffset(); at < end; at += COPIED_BYTES) {
      long from = at;
      var bytes = ByteBuffer.allocate((int) Math.min(COPIED_BYTES, end - at));
      write(
          read(() -> {
            source.source().read(bytes, from);
            return bytes.flip();
          }));
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    offset += bytes.remaining();
    while (bytes.hasRemaining()) {
      target.write(bytes);
    }
  }

  @Override
  public void close() {
    decoder.close();
    blocks.close();
  }
}
