package io.cordwood.common.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects the signatures of a segment's blocks, in block order, and writes the filter section,
 * whose layout is drawn on {@link FilterLayout}.
 *
 * <p>A block's grams set bits in a bitmap of 2^21 keys. Word by word, that bitmap is joined into
 * the bitmap of keys seen in the segment, stripped of stop keys, and folded into the block's
 * signature. Stop keys are those in at least 12 of 15 blocks in a row: they would fill a quarter of
 * every signature and tell blocks apart hardly at all. The first 15 of every 64 blocks are counted,
 * if they span 2 MiB, since blocks further on may be of another topic.
 *
 * <p>The section takes about 5.5 % of the raw bytes if blocks are as large as was said and there
 * are 128 MiB of them. At most it takes 1/16 of them (or 90 bytes a block, if that is more), plus
 * 64 KiB if there are stop keys. For one thread. Memory: 2 MiB, 64 signatures, and the matrix of at
 * most 8 MiB: in all about 10.5 MiB for a full segment, twice that when {@link #build} is used. All
 * but the matrix is kept for the next segment.
 */
public final class FilterBuilder {
  /** Takes the bytes of a section in order; must have taken all of a buffer when it returns. */
  @FunctionalInterface
  public interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  static final int SAMPLE_EVERY_BLOCKS = 64;
  static final int MIN_SAMPLE_BYTES = 2 << 20;
  static final int MIN_DIGEST_RAW_BYTES = 16 << 20;

  private static final int WORDS = Gram.KEYS / Long.SIZE;
  private static final double SIGNATURE_TO_BLOCK = 0.051;
  private static final int SIGNATURE_STEP_BYTES = 1 << 10;
  private static final int MIN_RAW_TO_MATRIX = 16;
  private static final int MIN_ROWS = 512;
  private static final int MIN_RAW_TO_DIGEST = 200;

  private final long[] keys = new long[WORDS];
  private final long[] seenKeys = new long[WORDS];
  private final long[] stopKeys = new long[WORDS];
  private final FilterSample sample = new FilterSample();
  private final FilterMatrix matrix;
  private final int signatureRows;
  private long rawBytes;
  private long sampleBytes;
  private boolean hasStopKeys;
  private boolean finished;

  /**
   * A builder for segments of any size.
   *
   * @param blockBytes the usual raw size of a block, which decides the size of a signature
   */
  public FilterBuilder(int blockBytes) {
    int steps = (int) (blockBytes * SIGNATURE_TO_BLOCK / SIGNATURE_STEP_BYTES);
    int maxSteps = Gram.KEYS / Byte.SIZE / SIGNATURE_STEP_BYTES;
    signatureRows = Math.clamp(steps, 1, maxSteps) * SIGNATURE_STEP_BYTES * Byte.SIZE;
    matrix = new FilterMatrix(signatureRows);
  }

  /**
   * Adds the next block: its records, each with its delimiter, back to back.
   *
   * @throws IllegalStateException if there are 65,536 blocks, or the section was built
   */
  public void addBlock(byte[] bytes, int from, int to) {
    if (finished || blocks() == FilterLayout.MAX_BLOCKS) {
      throw new IllegalStateException("no block can be added after " + blocks());
    }
    Gram.mark(bytes, from, to, keys);
    rawBytes += to - from;
    sample(to - from);
    foldInto(matrix.nextSignature());
    matrix.add();
  }

  public int blocks() {
    return matrix.blocks();
  }

  /**
   * Writes the section in pieces of at most 65 KiB. Only {@link #reset} can follow.
   *
   * @throws IllegalStateException if there is no block
   */
  public void writeTo(Sink sink) throws IOException {
    FilterLayout layout = finish();
    sink.write(layout.header());
    FilterPageWriter out = new FilterPageWriter(sink);
    writeDigest(layout.digestKeyBits(), out);
    matrix.writeTo(out);
    out.finish();
  }

  /** The section in one buffer. Only {@link #reset} can follow. */
  public ByteBuffer build() {
    ByteBuffer section = ByteBuffer.allocate((int) finish().sectionBytes());
    try {
      writeTo(section::put);
    } catch (IOException e) {
      throw new AssertionError("a heap buffer does not fail", e);
    }
    return section.flip();
  }

  /** Forgets all blocks, for the next segment. */
  public void reset() {
    Arrays.fill(seenKeys, 0);
    Arrays.fill(stopKeys, 0);
    matrix.reset();
    rawBytes = 0;
    hasStopKeys = false;
    finished = false;
  }

  private void sample(int bytes) {
    int inRun = blocks() % SAMPLE_EVERY_BLOCKS;
    if (inRun >= FilterSample.BLOCKS) {
      return;
    }
    if (inRun == 0) {
      sample.reset();
      sampleBytes = 0;
    }
    sample.add(keys);
    sampleBytes += bytes;
    if (inRun == FilterSample.BLOCKS - 1 && sampleBytes >= MIN_SAMPLE_BYTES) {
      sample.markFrequent(stopKeys);
      hasStopKeys = true;
    }
  }

  private void foldInto(long[] signature) {
    for (int start = 0; start < WORDS; start += signature.length) {
      int length = Math.min(signature.length, WORDS - start);
      for (int i = 0; i < length; i++) {
        long marked = keys[start + i];
        seenKeys[start + i] |= marked;
        signature[i] |= marked & ~stopKeys[start + i];
        keys[start + i] = 0;
      }
    }
  }

  private FilterLayout finish() {
    if (blocks() == 0) {
      throw new IllegalStateException("a filter without blocks");
    }
    if (!finished) {
      matrix.finish();
      while (matrix.bytes() * MIN_RAW_TO_MATRIX > rawBytes
          && matrix.rows() >= 2 * MIN_ROWS
          && matrix.canHalve()) {
        matrix.halve();
      }
      finished = true;
    }
    return new FilterLayout(matrix.blocks(), signatureRows, matrix.rows(), digestKeyBits());
  }

  private int digestKeyBits() {
    if (!hasStopKeys && rawBytes < MIN_DIGEST_RAW_BYTES) {
      return 0;
    }
    long keyLimit = rawBytes / MIN_RAW_TO_DIGEST * Byte.SIZE / 2;
    int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, keyLimit));
    return Math.clamp(bits, FilterLayout.MIN_DIGEST_KEY_BITS, Gram.KEY_BITS);
  }

  private void writeDigest(int keyBits, FilterPageWriter out) throws IOException {
    int words = keyBits == 0 ? 0 : (1 << keyBits) / Long.SIZE;
    for (int i = 0; i < words; i++) {
      out.put(folded(seenKeys, i, words), Long.SIZE);
      out.put(folded(stopKeys, i, words), Long.SIZE);
    }
  }

  private static long folded(long[] bitmap, int from, int step) {
    long union = 0;
    for (int i = from; i < WORDS; i += step) {
      union |= bitmap[i];
    }
    return union;
  }
}
