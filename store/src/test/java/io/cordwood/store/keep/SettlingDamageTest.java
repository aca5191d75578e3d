package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage before, while and after a segment is settled costs the damaged block alone. */
final class SettlingDamageTest {
  private static final long TARGET_BYTES = 16 << 10;

  @TempDir Path folders;
  private final Records records = new Records(31);
  private final WatchedDisk disk = new WatchedDisk();

  private static TestLog open(Path folder) throws IOException {
    return open(folder, Filesystem.real());
  }

  private static TestLog open(Path folder, Filesystem filesystem) throws IOException {
    return new TestLog(folder, filesystem, TARGET_BYTES);
  }

  private static List<Boolean> settled(TestLog test) {
    return test.log.live().stream().map(s -> s.segment().isSettled()).toList();
  }

  /** As the footer says. */
  private static long indexOffset(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return ByteBuffer.wrap(bytes).getLong(bytes.length - 96 + 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"block", "head of the filter", "page of the filter"})
  void oneThatIsDamagedIsSalvagedAndThenSettled(String where) throws IOException {
    Path folder = folders.resolve("store");
    try (var test = open(folder)) {
      List<Batch> batches = TestLog.batches(records, TARGET_BYTES);
      test.store(batches);
      LiveSegment victim = test.log.live().getFirst();
      List<BlockInfo> blocks = victim.segment().blocks();
      BlockInfo block = blocks.getLast(); // The smaller one: enough is left to settle it.
      long filter = block.offset() + block.storedBytes();
      BitFlips.flip(
          victim.file(),
          switch (where) {
            case "block" -> block.offset() + 100;
            case "head of the filter" -> filter + 10;
            default -> indexOffset(victim.file()) - 1;
          });

      test.settle();

      List<Batch> left =
          SegmentFiles.sorted(batches).stream()
              .filter(b -> !where.equals("block") || !b.topic().equals(block.topic()))
              .toList();
      assertThat(Stored.batches(test.log)).isEqualTo(left).isNotEmpty();
      assertThat(settled(test)).containsExactly(true);
      assertThat(TestLog.files(folder, ".damaged")).isEqualTo(1);
      assertThat(test.count("damaged.segments")).isEqualTo(1);
      assertThat(TestLog.files(folder, ".active")).isZero();
    }
  }

  /**
   * The block that is written last is damaged when one of both is about to be read: for a piece of
   * a dictionary, to try that, or to be written.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void oneThatIsDamagedWhileItIsSettledIsSalvagedAndNoOtherIsTouched(int read) throws IOException {
    Path folder = folders.resolve("store");
    try (var test = open(folder, disk.filesystem())) {
      List<Batch> batches = TestLog.batches(records, TARGET_BYTES);
      test.store(batches);
      List<Batch> others = TestLog.batches(records, TARGET_BYTES);
      test.store(others);
      LiveSegment victim = test.log.live().getFirst();
      BlockInfo block = victim.segment().blocks().getLast();
      damageAtRead(victim, block, read);
      test.settle();

      List<Batch> left =
          Stream.concat(
                  batches.stream().filter(b -> !b.topic().equals(block.topic())), others.stream())
              .toList();
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(left));
      assertThat(settled(test)).containsExactly(true, true);
      assertThat(TestLog.files(folder, ".damaged")).isEqualTo(1);
      assertThat(TestLog.files(folder, ".active")).isZero();
      assertThat(test.count("damaged.segments")).isEqualTo(1);
    }
  }

  private void damageAtRead(LiveSegment victim, BlockInfo block, int read) throws IOException {
    var reads = new AtomicInteger();
    disk.whenABlockIsRead(
        victim,
        () -> {
          if (reads.incrementAndGet() == read) {
            try {
              BitFlips.flip(victim.file(), block.offset() + 100);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        });
  }

  /** The first of two blocks is written by the fourth read. */
  @Test
  void whatIsDamagedAfterItWasSettledIsWhole() throws IOException {
    Path folder = folders.resolve("store");
    try (var test = open(folder, disk.filesystem())) {
      List<Batch> batches = TestLog.batches(records, TARGET_BYTES);
      test.store(batches);
      LiveSegment victim = test.log.live().getFirst();
      damageAtRead(victim, victim.segment().blocks().getFirst(), 5);
      test.settle();
      assertThat(settled(test)).containsExactly(true);
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(batches));
      assertThat(TestLog.files(folder, ".damaged")).isZero();
    }
  }

  @Test
  void aSettledOneWhoseBlockIsDamagedLosesOnlyThat() throws IOException {
    Path folder = folders.resolve("store");
    try (var test = open(folder)) {
      List<Batch> batches = TestLog.batches(records, TARGET_BYTES);
      test.store(batches);
      test.settle();
      LiveSegment victim = test.log.live().getFirst();
      var block = victim.segment().blocks().getLast();
      BitFlips.flip(victim.file(), block.offset() + block.storedBytes() - 1);
      test.log.suspect(victim);
      test.healSuspects();

      assertThat(Stored.batches(test.log))
          .isEqualTo(
              SegmentFiles.sorted(batches).stream()
                  .filter(b -> !b.topic().equals(block.topic()))
                  .toList())
          .isNotEmpty();
      assertThat(TestLog.files(folder, ".damaged")).isEqualTo(1);
    }
  }

  @Test
  void aSettledOneThatCannotBeOpenedIsSalvagedAtTheStart() throws IOException {
    Path folder = folders.resolve("store");
    List<Batch> batches = TestLog.batches(records, TARGET_BYTES);
    Path file;
    try (var test = open(folder)) {
      test.store(batches);
      test.settle();
      file = test.log.live().getFirst().file();
    }
    BitFlips.flip(file, 3);
    BitFlips.flip(file, Files.size(file) - 1);
    try (var again = open(folder)) {
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(batches));
      assertThat(TestLog.files(folder, ".damaged")).isEqualTo(1);
    }
  }
}
