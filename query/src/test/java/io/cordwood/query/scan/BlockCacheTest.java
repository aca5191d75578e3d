package io.cordwood.query.scan;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.query.fields.Where;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.Records;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.Topics;
import io.cordwood.query.result.BlockHits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BlockCacheTest {
  private static final int BLOCKS_THAT_FIT = 2;
  private static final int RECORDS = 1_000;
  private static final Query LINES = query("line", false, false, Detail.BYTES);

  private final AtomicLong nanoTime = new AtomicLong(-5);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final BlockDecoder decoder = new BlockDecoder();
  private final StoreSegment segment = segmentOfBlocks(4);
  private final List<BlockInfo> blocks = segment.blocks();
  private final long bytes = BLOCKS_THAT_FIT * ReclaimableMemory.roomFor(read(0).to());
  private final ReclaimableMemory memory = new ReclaimableMemory(bytes);
  private final BlockCache hot = new BlockCache(memory, bytes, meters, nanoTime::get);

  BlockCacheTest() throws IOException {}

  @AfterEach
  void close() {
    hot.close();
    decoder.close();
  }

  @Test
  void aBlockReadTwiceIsSearchedInMemory() throws IOException {
    BlockRef ref = ref(0);
    BlockHits expected = HitCollector.collect(LINES, read(0));
    assertThat(expected.groups()).hasSize(1);
    offer(0);
    assertThat(hot.search(LINES, ref, decoder)).isEmpty();
    offer(0);
    assertThat(hot.search(LINES, ref, new BlockDecoder()))
        .hasValueSatisfying(found -> assertSame(found, expected));
    assertThat(meters.get("cordwood.query.hot.blocks").counter().count()).isEqualTo(1);
  }

  static List<Query> queries() {
    List<Query> queries = new ArrayList<>();
    for (Detail detail : List.of(Detail.COUNT, Detail.BYTES, Detail.ULIDS)) {
      for (boolean invert : List.of(false, true)) {
        for (String literal : List.of("", "absent", "7 of", " of much the same")) {
          queries.add(query(literal, false, invert, detail));
        }
        for (String regex : List.of("line 0 [0-9]*7 of", "[13579] of much", "[a-f]{9}")) {
          queries.add(query(regex, true, invert, detail));
        }
      }
    }
    return queries;
  }

  @ParameterizedTest
  @MethodSource("queries")
  void theSameIsFoundInMemory(Query query) throws IOException {
    heat(0);
    BlockRef ref = ref(0);
    Ulid first = ref.info().range().from();
    for (UlidRange range : List.of(UlidRange.ALL, new UlidRange(first.plus(5), first.plus(900)))) {
      Query inRange = query.within(range, Query.UNLIMITED);
      BlockHits expected = HitCollector.collect(inRange, read(0));
      assertThat(hot.search(inRange, ref, new BlockDecoder()))
          .hasValueSatisfying(found -> assertSame(found, expected));
    }
  }

  private static void assertSame(BlockHits found, BlockHits expected) {
    assertThat(found).usingRecursiveComparison().isEqualTo(expected);
  }

  @Test
  void readsFarApartMakeNothingHot() throws IOException {
    for (int i = 0; i < 3; i++) {
      offer(0);
      nanoTime.addAndGet(BlockCache.HOT.toNanos());
    }
    assertThat(isHot(0)).isFalse();
  }

  @Test
  void aPlaceIsGivenAwayOnceItsBlockIsNotHot() throws IOException {
    for (int block = 0; block < BLOCKS_THAT_FIT; block++) {
      heat(block);
    }
    offer(2);
    offer(2);
    nanoTime.addAndGet(BlockCache.HOT.toNanos() - 1);
    offer(2);
    for (int block = 0; block < BLOCKS_THAT_FIT; block++) {
      assertThat(isHot(block)).isTrue();
    }
    nanoTime.addAndGet(BlockCache.HOT.toNanos());
    offer(2);
    heat(2);
    assertThat(IntStream.range(0, 3).filter(this::isHot).count()).isEqualTo(BLOCKS_THAT_FIT);
    assertThat(isHot(2)).isTrue();
  }

  @Test
  void aBlockWithoutRoomIsNotKept() throws IOException {
    try (var small = new BlockCache(new ReclaimableMemory(4096), 4096, meters, nanoTime::get)) {
      for (int i = 0; i < 3; i++) {
        small.offer(ref(0), read(0));
      }
      assertThat(small.search(LINES, ref(0), decoder)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7})
  void aBlockWhoseMemoryLinuxTookIsReadAgain(int page) throws Throwable {
    heat(0);
    heat(1);
    long first = memory.at(0, read(0).to()).address() - Long.BYTES;
    takeAway(first + (long) page * ReclaimableMemory.PAGE_BYTES);
    assertThat(isHot(0)).isFalse();
    assertThat(isHot(1)).isTrue();
    assertThat(meters.get("cordwood.query.hot.blocks.taken").counter().count()).isEqualTo(1);
    for (int reads = 0; reads < 3; reads++) {
      offer(0);
    }
    assertThat(isHot(0)).as("while memory is short").isFalse();
    nanoTime.addAndGet(BlockCache.SHORT_OF_MEMORY.toNanos());
    assertThat(isHot(1)).isTrue();
    heat(0);
    assertThat(isHot(1)).isTrue();
  }

  /** What is left of lent memory when Linux has taken it (MADV_DONTNEED): a page of zeros. */
  @SuppressWarnings("restricted")
  private static void takeAway(long address) throws Throwable {
    MemorySegment page = MemorySegment.ofAddress(address).reinterpret(ReclaimableMemory.PAGE_BYTES);
    Linker linker = Linker.nativeLinker();
    MethodHandle madvise =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("madvise"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    assertThat((int) madvise.invokeExact(page, page.byteSize(), 4)).isZero();
    assertThat(page.get(JAVA_LONG, 0)).isZero();
  }

  @Test
  void aBodyThatLooksAsIfItWereTakenIsNotKept() throws IOException {
    StoreSegment zeros =
        segmentOf(Delimiter.NUL, List.of(new byte[3 * ReclaimableMemory.PAGE_BYTES]));
    BlockRef ref = new BlockRef(zeros, zeros.blocks().getFirst());
    for (int i = 0; i < 3; i++) {
      hot.offer(ref, zeros.read(ref.info(), decoder));
    }
    assertThat(hot.search(LINES, ref, decoder)).isEmpty();
    assertThat(meters.get("cordwood.query.hot.blocks.taken").counter().count()).isZero();
  }

  /** Reads a block until its body is kept: each place that is refused costs it one turn. */
  private void heat(int block) throws IOException {
    for (int reads = 0; reads <= 1 + BLOCKS_THAT_FIT && !isHot(block); reads++) {
      offer(block);
    }
    assertThat(isHot(block)).isTrue();
  }

  private boolean isHot(int block) {
    try {
      return hot.search(LINES, ref(block), decoder).isPresent();
    } catch (CorruptException e) {
      throw new AssertionError(e);
    }
  }

  private void offer(int block) throws IOException {
    hot.offer(ref(block), read(block));
  }

  private Block read(int block) throws IOException {
    return segment.read(ref(block).info(), decoder);
  }

  private BlockRef ref(int block) {
    BlockInfo info = blocks.get(block);
    assertThat(info.storedBytes()).isLessThan(info.rawBytes());
    return new BlockRef(segment, info);
  }

  /** Each topic has a block of its own. */
  private static StoreSegment segmentOfBlocks(int blocks) throws IOException {
    List<byte[]> bodies = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      var lines = new StringBuilder();
      for (int i = 0; i < RECORDS; i++) {
        lines.append("line %d %04d of much the same\n".formatted(block, i));
      }
      bodies.add(lines.toString().getBytes(UTF_8));
    }
    return segmentOf(Delimiter.LF, bodies);
  }

  private static StoreSegment segmentOf(Delimiter delimiter, List<byte[]> bodies)
      throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < bodies.size(); i++) {
      byte[] body = bodies.get(i);
      batches.add(
          new Batch(
              new Topic("t" + i),
              delimiter,
              Ulid.firstOf(1_700_000_000_000L + i),
              Records.count(body, 0, body.length, delimiter.value()),
              ByteBuffer.wrap(body)));
    }
    return StoreSegment.open(
        SegmentFiles.file(SegmentFiles.storeSegment(SegmentFiles.sorted(batches))));
  }

  private static Query query(String pattern, boolean regex, boolean invert, Detail detail) {
    PatternSpec spec = regex ? PatternSpec.regex(pattern) : PatternSpec.literal(pattern);
    return Query.matching(
        spec, Where.NONE, Matchers.compile(spec), invert, UlidRange.ALL, Topics.ALL, detail);
  }
}
