package io.cordwood.common.segment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the dictionary that a segment is settled with: pieces from all over it, if they save a
 * twentieth of some blocks. Otherwise it is a line feed alone, since a longer one takes time to
 * decompress with. Reads a block a step. One thread.
 */
final class DictionaryChoice implements AutoCloseable {
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

  private final StoreSegment source;
  private final List<BlockInfo> blocks;
  private final BlockDecoder decoder;
  private final Random random;
  private final ByteArrayOutputStream joined = new ByteArrayOutputStream();
  private final int pieces;
  private final int pieceBytes;
  private final int tries;
  private int piecesTaken;
  private int tried;
  private long bytesWith;
  private long bytesWithout;
  private SettledBlock chosen = new SettledBlock(NO_PIECES);
  private @Nullable SettledBlock withPieces;

  /**
   * @param blocks all of the segment
   * @param decoder stays the caller's
   */
  DictionaryChoice(StoreSegment source, List<BlockInfo> blocks, BlockDecoder decoder) {
    this.source = source;
    this.blocks = blocks;
    this.decoder = decoder;
    this.random = new Random(blocks.size());
    long part = source.totals().rawBytes() / RAW_TO_DICTIONARY;
    int bytes = Math.clamp(part, MIN_DICTIONARY_BYTES, MAX_DICTIONARY_BYTES);
    this.pieces = Math.max(1, bytes / PIECE_BYTES);
    this.pieceBytes = bytes / pieces;
    this.tries = Math.min(TRIED_BLOCKS, blocks.size());
    joined.writeBytes(NO_PIECES);
  }

  boolean isMade() {
    return tried == tries;
  }

  /** Makes settled blocks with the chosen dictionary; closed with this. */
  SettledBlock chosen() {
    return chosen;
  }

  /** Takes a piece of a block, or tries one, as long as the choice is not made; its raw bytes. */
  int step() throws IOException {
    SettledBlock rival = withPieces;
    return rival == null ? takePiece() : tryBlock(rival);
  }

  /** From as many stretches of the blocks as there are pieces, from a block of each; the same. */
  private int takePiece() throws IOException {
    int ordinal = (int) ((piecesTaken + random.nextDouble()) * blocks.size() / pieces);
    Block block = source.read(blocks.get(ordinal), decoder);
    int length = Math.min(pieceBytes, block.to() - block.from());
    int from = block.from() + random.nextInt(block.to() - block.from() - length + 1);
    joined.write(block.bytes(), from, length);
    piecesTaken++;
    if (piecesTaken == pieces) {
      withPieces = new SettledBlock(joined.toByteArray());
    }
    return blocks.get(ordinal).rawBytes();
  }

  private int tryBlock(SettledBlock rival) throws IOException {
    BlockInfo info = blocks.get((int) ((tried + 0.5) * blocks.size() / tries));
    Block block = source.read(info, decoder);
    bytesWith += rival.storedBytes(block, info);
    bytesWithout += chosen.storedBytes(block, info);
    tried++;
    if (isMade()) {
      choose(rival);
    }
    return info.rawBytes();
  }

  private void choose(SettledBlock rival) {
    withPieces = null;
    if (bytesWith <= bytesWithout - bytesWithout / WORTH_IT) {
      chosen.close();
      chosen = rival;
    } else {
      rival.close();
    }
  }

  @Override
  public void close() {
    chosen.close();
    SettledBlock rival = withPieces;
    if (rival != null) {
      rival.close();
    }
  }
}
