package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.ClockEviction;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An open store segment: its blocks, its filter and, when that is not kept in memory, its index are
 * read by position when they are asked for.
 *
 * <p>Safe for many threads. Counted: the opener holds it once, {@link #retain} adds a holder, and
 * the file is closed when the last one has released it, so that a query can finish on a segment
 * that was trashed meanwhile.
 */
public final class StoreSegment implements Segment, ClockEviction.Kept {
  private final ByteSource source;
  private final Closeable file;
  private final long fileBytes;
  private final KeptIndexes kept;
  private final UlidRange range;
  private final SegmentTotals totals;
  private final Optional<FilterDigest> digest;
  private final Optional<SegmentDictionary> dictionary;
  private final Optional<BatchSection> batches;
  private final @Nullable CorruptException batchesDamage;
  private final boolean mayBeLabelled;
  private final AtomicInteger holders = new AtomicInteger(1);
  private volatile @Nullable Index index;
  private volatile boolean indexUsed = true;

  /** The parts of a file that are read before its blocks. */
  private record Index(UlidRange range, List<BlockInfo> blocks, Optional<BlockFilter> filter) {}

  private <S extends ByteSource & Closeable> StoreSegment(
      S file,
      KeptIndexes kept,
      Index index,
      Optional<SegmentDictionary> dictionary,
      Optional<BatchSection> batches,
      @Nullable CorruptException batchesDamage,
      boolean mayBeLabelled)
      throws IOException {
    this.source = file;
    this.file = file;
    this.fileBytes = file.size();
    this.kept = kept;
    this.range = index.range;
    this.totals = SegmentTotals.of(index.blocks);
    this.digest = index.filter.map(BlockFilter::digest);
    this.dictionary = dictionary;
    this.batches = batches;
    this.batchesDamage = batchesDamage;
    this.mayBeLabelled = mayBeLabelled;
    this.index = index;
    kept.keepIndex(this, totals.blocks());
  }

  /** Opens a segment whose index stays in memory, see {@link #open(ByteSource, KeptIndexes)}. */
  public static <S extends ByteSource & Closeable> StoreSegment open(S file) throws IOException {
    return open(file, KeptIndexes.all());
  }

  /**
   * Opens a segment and checks its header, index, footer and the head of its filter; blocks and the
   * filter's pages are checked when they are read. Damage of the list of batches is told when that
   * is asked for. The file belongs to the segment from now on, unless this throws.
   *
   * @throws CorruptException if one of them is damaged; {@link SegmentSalvage} then finds the
   *     intact blocks
   */
  public static <S extends ByteSource & Closeable> StoreSegment open(S file, KeptIndexes kept)
      throws IOException {
    SegmentFooter footer = readFooter(file);
    Index index = readIndex(file, footer);
    Optional<SegmentDictionary> dictionary = dictionary(file, footer, kept);
    boolean labels = footer.version() == StoreSegmentHeader.VERSION;
    try {
      var batches = readBatches(file, footer, index.blocks);
      return new StoreSegment(file, kept, index, dictionary, batches, null, labels);
    } catch (CorruptException e) {
      return new StoreSegment(file, kept, index, dictionary, Optional.empty(), e, labels);
    }
  }

  static Optional<BatchSection> readBatches(
      ByteSource file, SegmentFooter footer, List<BlockInfo> blocks) throws IOException {
    long at = footer.batchesOffset();
    long bytes = file.size() - SegmentFooter.BYTES - at;
    return bytes == 0 ? Optional.empty() : Optional.of(BatchSection.open(file, at, bytes, blocks));
  }

  private static Optional<SegmentDictionary> dictionary(
      ByteSource file, SegmentFooter footer, KeptIndexes kept) {
    int bytes = footer.dictionaryBytes();
    return bytes == 0
        ? Optional.empty()
        : Optional.of(
            new SegmentDictionary(
                file, StoreSegmentHeader.BYTES, footer.filter().offset() - bytes, kept));
  }

  /** A segment of those blocks that a salvage found. */
  static <S extends ByteSource & Closeable> StoreSegment of(
      S file, List<BlockInfo> blocks, Optional<SegmentDictionary> dictionary) throws IOException {
    UlidRange range = blocks.stream().map(BlockInfo::range).reduce(UlidRange::union).orElseThrow();
    var index = new Index(range, List.copyOf(blocks), Optional.empty());
    return new StoreSegment(
        file, KeptIndexes.all(), index, dictionary, Optional.empty(), null, true);
  }

  private static Index readIndex(ByteSource file, SegmentFooter footer) throws IOException {
    var bytes = ByteBuffer.allocate((int) footer.index().bytes());
    file.read(bytes, footer.index().offset());
    List<BlockInfo> blocks = SegmentIndex.decode(bytes.flip(), footer.index().offset());
    checkLayout(blocks, footer);
    return new Index(footer.range(), blocks, filter(file, footer, blocks));
  }

  private static Optional<BlockFilter> filter(
      ByteSource source, SegmentFooter footer, List<BlockInfo> blocks) throws IOException {
    if (footer.filter().bytes() == 0) {
      return Optional.empty();
    }
    BlockFilter filter =
        BlockFilter.open(source, footer.filter().offset(), footer.filter().bytes());
    if (filter.blocks() != blocks.size()) {
      throw new CorruptException(
          footer.filter().offset(),
          "expected a filter of %d blocks, found %d".formatted(blocks.size(), filter.blocks()));
    }
    return Optional.of(filter);
  }

  private Index index() throws IOException {
    Index known = index;
    if (known != null) {
      if (!indexUsed) {
        indexUsed = true;
      }
      return known;
    }
    Index read = readIndex(source, readFooter(source));
    if (!SegmentTotals.of(read.blocks).equals(totals)) {
      throw new CorruptException(0, "expected the index of %s, found another".formatted(totals));
    }
    index = read;
    indexUsed = true;
    kept.keepIndex(this, totals.blocks());
    return read;
  }

  @Override
  public boolean wasUsed() {
    boolean was = indexUsed;
    indexUsed = false;
    return was;
  }

  @Override
  public boolean letGo() {
    index = null;
    return true;
  }

  static SegmentFooter readFooter(ByteSource source) throws IOException {
    long size = source.size();
    long at = size - SegmentFooter.BYTES;
    if (at < StoreSegmentHeader.BYTES) {
      throw new CorruptException(
          size, "expected a store segment of at least 112 bytes, found " + size);
    }
    var header = ByteBuffer.allocate(StoreSegmentHeader.BYTES);
    source.read(header, 0);
    int version = StoreSegmentHeader.check(header);
    var footer = ByteBuffer.allocate(SegmentFooter.BYTES);
    source.read(footer, at);
    return SegmentFooter.decode(footer, at, version);
  }

  private static void checkLayout(List<BlockInfo> blocks, SegmentFooter footer)
      throws CorruptException {
    long at = (long) StoreSegmentHeader.BYTES + footer.dictionaryBytes();
    for (BlockInfo block : blocks) {
      if (block.offset() != at || block.storedBytes() <= 0) {
        throw new CorruptException(
            at, "expected block %d here, found %s".formatted(block.ordinal(), block));
      }
      at += block.storedBytes();
    }
    if (at + footer.dictionaryBytes() != footer.filter().offset()) {
      throw new CorruptException(
          at, "expected the filter after the blocks, found it at " + footer.filter().offset());
    }
  }

  @Override
  public UlidRange range() {
    return range;
  }

  /**
   * In the order of the file.
   *
   * @throws CorruptException if the index was damaged after the segment was opened
   */
  @Override
  public List<BlockInfo> blocks() throws IOException {
    return index().blocks;
  }

  @Override
  public SegmentTotals totals() {
    return totals;
  }

  ByteSource source() {
    return source;
  }

  /** Reads the whole filter, if there is one; how many of its pages are damaged. */
  int damagedFilterPages() throws IOException {
    Optional<BlockFilter> filter = index().filter;
    return filter.isPresent() ? filter.get().damagedPages() : 0;
  }

  /** Whether it is in the form that is kept for long; see {@link SegmentSettler}. */
  public boolean isSettled() {
    return dictionary.isPresent();
  }

  public long fileBytes() {
    return fileBytes;
  }

  public long records() {
    return totals.records();
  }

  @Override
  public BitSet candidates(List<AnyOf> required) throws IOException {
    if (digest.isPresent() && !required.isEmpty()) {
      Index known = index;
      if (known != null) {
        return known.filter.orElseThrow().candidates(required);
      }
      boolean none = digest.get().rulesOut(required);
      return none ? new BitSet() : BlockFilter.open(digest.get()).candidates(required);
    }
    var all = new BitSet(totals.blocks());
    all.set(0, totals.blocks());
    return all;
  }

  @Override
  public Optional<FirstForm> firstForm(BlockInfo block) throws IOException {
    var sum = ByteBuffer.allocate(Integer.BYTES);
    if (dictionary.isEmpty()) {
      source.read(sum, block.offset() + BlockHeader.BODY_SUM_AT);
      return Optional.of(new FirstForm(block.storedBytes(), sum.getInt(0)));
    }
    return Optional.of(BlockHeader.firstForm(source, block));
  }

  @Override
  public Block read(BlockInfo block, BlockDecoder decoder) throws IOException {
    return read(block, decoder, source);
  }

  /** Reads a block out of something else that has the bytes of the file. */
  public Block read(BlockInfo block, BlockDecoder decoder, ByteSource from) throws IOException {
    return decoder.read(from, block.offset(), block.storedBytes(), dictionary);
  }

  /**
   * The fingerprints of its batches; empty if the file does not have them. Read when it was opened.
   *
   * @throws CorruptException if they are damaged
   */
  public Optional<SliceSums> slices() throws CorruptException {
    return listed().flatMap(BatchSection::sums);
  }

  /** Segments of versions 1 and 2 have none. */
  @Override
  public Optional<BatchLists> lists() throws IOException {
    Optional<BatchSection> list = listed();
    return list.isEmpty() ? Optional.empty() : Optional.of(list.get().lists(blocks()));
  }

  /** Whether a batch may have labels: one has, or the segment has no list that says so. */
  public boolean isLabelled() {
    return batches.map(BatchSection::isLabelled).orElse(mayBeLabelled);
  }

  @Override
  public List<LabelSummary> labels() throws IOException {
    Optional<BatchSection> list = listed();
    if (list.isPresent() && list.get().isLabelled()) {
      return list.get().labels(blocks());
    }
    return isLabelled() ? Segment.super.labels() : withoutLabels();
  }

  private List<LabelSummary> withoutLabels() throws IOException {
    var totals = new LabelTotals<Labels>();
    for (BlockInfo it : blocks()) {
      long from = it.range().from().millis();
      long to = it.range().to().millis();
      totals.add(it.topic(), Labels.NONE, it.records(), it.payloadBytes(), from, to);
    }
    return LabelTotals.summaries(totals);
  }

  /**
   * Bytes of the list of its batches in the file; 0 if it has none.
   *
   * @throws CorruptException if it is damaged
   */
  public int listBytes() throws CorruptException {
    return listed().map(BatchSection::bytes).orElse(0);
  }

  private Optional<BatchSection> listed() throws CorruptException {
    CorruptException damage = batchesDamage;
    if (damage != null) {
      throw damage;
    }
    return batches;
  }

  /** Adds a holder; false if the segment is closed already. */
  public boolean retain() {
    return holders.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
  }

  /** Gives up what opening or {@link #retain} gave; the last one closes the file. */
  public void release() {
    if (holders.decrementAndGet() == 0) {
      kept.forgetIndex(this);
      dictionary.ifPresent(SegmentDictionary::close);
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException("closing a store segment that was only read", e);
      }
    }
  }
}
