package io.cordwood.common.segment;

import io.cordwood.common.segment.FilterLayout.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Collects the signatures of a segment's blocks, in block order, and writes the filter section,
 * whose layout is drawn on {@link FilterLayout}.
 *
 * <p>A block's grams set bits in a bitmap of 2^21 keys. Word by word, that bitmap is joined into
 * the bitmap of keys seen in the segment, stripped of stop keys, and folded into the block's
 * signature, which is as large as what is in the block asks for. Stop keys are those in at least 12
 * of 15 blocks in a row: they would fill a quarter of every signature and tell blocks apart hardly
 * at all. The first 15 of every 64 blocks are counted, if they span 2 MiB, since blocks further on
 * may be of another topic. If they are so few that their bits in the digest would cost more than
 * they save, there are none.
 *
 * <p>The section takes at most 5 % of the raw bytes if blocks are as large as was said and there
 * are 128 MiB of them; 3 % if each is of one service. Of few blocks it takes at most 1/16 (or 240
 * bytes a block, if that is more), plus 64 KiB if there are stop keys. For one thread. Memory: 2
 * MiB, 128 signatures, and the sheets of at most 8 MiB: in all about 11.5 MiB for a full segment,
 * twice that when {@link #build} is used.
 */
public final class FilterBuilder {
  static final int SAMPLE_EVERY_BLOCKS = 64;
  static final int MIN_SAMPLE_BYTES = 2 << 20;
  static final int MIN_DIGEST_RAW_BYTES = 16 << 20;

  private static final int WORDS = Gram.KEYS / Long.SIZE;
  private static final double SIGNATURE_TO_BLOCK = 0.0455;
  private static final int SIGNATURE_STEP_BYTES = 1 << 9;
  private static final int MIN_RAW_TO_DIGEST = 200;

  /** Raw bytes of a sample for each stop key that makes telling them worth its room. */
  private static final int MAX_RAW_TO_STOP_KEY = 1600;

  private final GramMarker marker = new GramMarker();
  private final long[] keys = new long[GramMarker.BITMAP_WORDS];
  private final long[] seenKeys = new long[WORDS];
  private final long[] stopKeys = new long[WORDS];
  private final FilterSample sample = new FilterSample();
  private final FilterSignature signature;
  private final FilterSheets sheets;
  private long rawBytes;
  private long sampleBytes;
  private boolean hasStopKeys;
  private boolean finished;

  /**
   * A builder for segments of any size.
   *
   * @param blockBytes the usual raw size of a block, which decides how large a signature can be
   */
  public FilterBuilder(int blockBytes) {
    int steps = (int) (blockBytes * SIGNATURE_TO_BLOCK / SIGNATURE_STEP_BYTES);
    int maxSteps = Gram.KEYS / Byte.SIZE / SIGNATURE_STEP_BYTES;
    int fullRows = Math.clamp(steps, 1, maxSteps) * SIGNATURE_STEP_BYTES * Byte.SIZE;
    signature = new FilterSignature(fullRows);
    sheets = new FilterSheets(fullRows);
  }

  /**
   * Adds the next block: its records, each with its delimiter, back to back.
   *
   * @throws IllegalStateException if there are 65,536 blocks, or the section was built
   */
  public void addBlock(byte[] bytes, int from, int to) {
    addBlock(ByteBuffer.wrap(bytes, from, to - from));
  }

  /**
   * Adds the next block of several texts; none of them goes on in the next.
   *
   * @param texts between position and limit, on the heap
   * @throws IllegalStateException if there are 65,536 blocks, or the section was built
   */
  public void addBlock(ByteBuffer... texts) {
    if (finished || blocks() == FilterLayout.MAX_BLOCKS) {
      throw new IllegalStateException("no block can be added after " + blocks());
    }
    int bytes = 0;
    for (ByteBuffer text : texts) {
      int from = text.arrayOffset() + text.position();
      marker.mark(text.array(), from, from + text.remaining(), keys);
      bytes += text.remaining();
    }
    rawBytes += bytes;
    sample(bytes);
    long[] words = signature.begin();
    foldInto(words);
    sheets.add(words, signature.fold(bytes));
  }

  public int blocks() {
    return sheets.blocks();
  }

  /**
   * Writes the section in pieces of at most 65 KiB. Nothing can follow.
   *
   * @throws IllegalStateException if there is no block
   */
  public void writeTo(FilterSink sink) throws IOException {
    FilterLayout layout = finish();
    sink.write(layout.header());
    FilterPageWriter out = new FilterPageWriter(sink);
    writeDigest(layout.digest(), out);
    sheets.writeTo(out);
    out.finish();
  }

  /** The section in one buffer. Nothing can follow. */
  public ByteBuffer build() {
    ByteBuffer section = ByteBuffer.allocate((int) finish().sectionBytes());
    try {
      writeTo(section::put);
    } catch (IOException e) {
      throw new AssertionError("a heap buffer does not fail", e);
    }
    return section.flip();
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
    if (inRun == FilterSample.BLOCKS - 1
        && sampleBytes >= MIN_SAMPLE_BYTES
        && sample.frequent() >= sampleBytes / MAX_RAW_TO_STOP_KEY) {
      sample.markFrequent(stopKeys);
      hasStopKeys = true;
    }
  }

  private void foldInto(long[] words) {
    for (int start = 0; start < WORDS; start += words.length) {
      int length = Math.min(words.length, WORDS - start);
      for (int i = 0; i < length; i++) {
        long marked = keys[start + i];
        seenKeys[start + i] |= marked;
        words[i] |= marked & ~stopKeys[start + i];
        keys[start + i] = 0;
      }
    }
  }

  private FilterLayout finish() {
    if (blocks() == 0) {
      throw new IllegalStateException("a filter without blocks");
    }
    finished = true;
    return sheets.finish(new Digest(digestKeyBits(), hasStopKeys));
  }

  private int digestKeyBits() {
    if (!hasStopKeys && rawBytes < MIN_DIGEST_RAW_BYTES) {
      return 0;
    }
    long keyLimit = rawBytes / MIN_RAW_TO_DIGEST * Byte.SIZE / (hasStopKeys ? 2 : 1);
    int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, keyLimit));
    return Math.clamp(bits, FilterLayout.MIN_DIGEST_KEY_BITS, Gram.KEY_BITS);
  }

  private void writeDigest(Digest digest, FilterPageWriter out) throws IOException {
    int words = digest.keyBits() == 0 ? 0 : (1 << digest.keyBits()) / Long.SIZE;
    for (int i = 0; i < words; i++) {
      out.put(folded(seenKeys, i, words), Long.SIZE);
      if (digest.tellsStopKeys()) {
        out.put(folded(stopKeys, i, words), Long.SIZE);
      }
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
