package io.cordwood.query.scan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Delimiter;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.scan.ScanPlan.BlockRef;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HotBlocksTest {
  private static final int SLOTS = 2;

  @TempDir Path folder;
  private final AtomicLong nanoTime = new AtomicLong(-5);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final BlockDecoder decoder = new BlockDecoder();
  private final StoreSegment segment = segmentOfBlocks(4);
  private HotFile file;
  private HotBlocks hot;

  HotBlocksTest() throws IOException {}

  @BeforeEach
  void create() throws IOException {
    file = HotFile.create(folder.resolve("hot.blocks"), SLOTS * (long) HotFile.SLOT_BYTES);
    hot = new HotBlocks(file, meters, nanoTime::get);
  }

  @AfterEach
  void close() {
    hot.close();
    decoder.close();
  }

  @Test
  void aBlockReadTwiceIsReadFromTheFile() throws IOException {
    BlockRef ref = ref(0);
    byte[] payloads = payloads(segment.read(ref.info(), decoder));
    offer(ref);
    assertThat(hot.read(ref, decoder)).isEmpty();
    offer(ref);
    Block kept = await().until(() -> hot.read(ref, decoder), Optional::isPresent).orElseThrow();
    assertThat(payloads(kept)).isEqualTo(payloads);
    assertThat(kept.toBatches())
        .isEqualTo(segment.read(ref.info(), new BlockDecoder()).toBatches());
    assertThat(meters.get("cordwood.query.hot.blocks").counter().count()).isEqualTo(1);
  }

  @Test
  void readsFarApartMakeNothingHot() throws IOException {
    for (int i = 0; i < 3; i++) {
      offer(ref(0));
      nanoTime.addAndGet(HotBlocks.HOT.toNanos());
    }
    heat(1); // Bodies are written in the order in which they were offered.
    assertThat(hot.read(ref(0), decoder)).isEmpty();
  }

  @Test
  void aSlotIsGivenAwayOnceItsBlockIsNotHot() throws IOException {
    for (int block = 0; block < SLOTS; block++) {
      heat(block);
    }
    offer(ref(2));
    offer(ref(2));
    nanoTime.addAndGet(HotBlocks.HOT.toNanos() - 1);
    offer(ref(2));
    for (int block = 0; block < SLOTS; block++) {
      assertThat(hot.read(ref(block), decoder)).isPresent();
    }
    nanoTime.addAndGet(HotBlocks.HOT.toNanos());
    offer(ref(2));
    heat(2);
    assertThat(hot.read(ref(0), decoder)).isEmpty();
    assertThat(hot.read(ref(1), decoder)).isPresent();
  }

  @Test
  void aDamagedBodyIsNotGivenAndEndsTheUseOfTheFile() throws IOException {
    heat(0);
    heat(1);
    file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), file.at(0) + 1000);
    assertThat(hot.read(ref(0), decoder)).isEmpty();
    assertThat(hot.read(ref(1), decoder)).isEmpty();
  }

  /**
   * To a mapping, a page that the disk cannot give is the same as one behind the end of the file.
   * The JVM tells interpreted code at once, compiled code some steps later.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 30_000})
  @EnabledOnOs(OS.LINUX)
  void aPageThatCannotBeReadEndsNoQueryButTheUseOfTheFile(int readsBefore) throws IOException {
    heat(0);
    heat(1);
    for (int i = 0; i < readsBefore; i++) {
      assertThat(hot.read(ref(i % 2), decoder).isPresent()).isTrue();
    }
    cutTheFile();
    assertThat(hot.read(ref(0), decoder)).isEmpty();
    assertThat(hot.read(ref(1), decoder)).isEmpty();
  }

  /** Through the name that the kernel gives to each open file of this process. */
  private static void cutTheFile() throws IOException {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : open) {
        if (Files.isSymbolicLink(descriptor)
            && Files.readSymbolicLink(descriptor).toString().endsWith("hot.blocks (deleted)")) {
          FileChannel.open(descriptor, StandardOpenOption.WRITE).truncate(0).close();
        }
      }
    }
  }

  @Test
  void theFileHasNoName() throws IOException {
    heat(0);
    assertThat(folder).isEmptyDirectory();
  }

  /** Reads a block until it is read from the file. */
  private void heat(int block) throws IOException {
    offer(ref(block));
    offer(ref(block));
    await().until(() -> hot.read(ref(block), decoder).isPresent());
  }

  private void offer(BlockRef ref) throws IOException {
    hot.offer(ref, segment.read(ref.info(), decoder));
  }

  private BlockRef ref(int block) {
    BlockInfo info = segment.blocks().get(block);
    assertThat(info.storedBytes()).isLessThan(info.rawBytes());
    return new BlockRef(segment, info);
  }

  private static byte[] payloads(Block block) {
    return Arrays.copyOfRange(block.bytes(), block.from(), block.to());
  }

  /** Each topic has a block of its own. */
  private static StoreSegment segmentOfBlocks(int blocks) throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      byte[] lines = ("line " + i + " of much the same\n").repeat(1_000).getBytes(UTF_8);
      batches.add(
          new Batch(
              new Topic("t" + i),
              Delimiter.LF,
              Ulid.firstOf(1_700_000_000_000L + i),
              1_000,
              ByteBuffer.wrap(lines)));
    }
    return StoreSegment.open(
        SegmentFiles.InMemory.of(SegmentFiles.storeSegment(SegmentFiles.sorted(batches))));
  }
}
