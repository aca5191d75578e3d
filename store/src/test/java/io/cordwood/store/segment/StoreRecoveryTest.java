package io.cordwood.store.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.FolderInUseException;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.keep.TestLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store starts from any state of its folder, and serves what is intact. */
final class StoreRecoveryTest {
  private static final String ULID = "01HF7YAT01KE26WVVA6G000000";
  private static final String LATER = "01HF7YAT0HKE26WVVA6G00001W";

  @TempDir Path folder;
  private final Records records = new Records(9);
  private final List<Batch> batches = new ArrayList<>();

  private Path storeOneSegment() throws IOException {
    batches.addAll(records.batches(9, 5));
    try (var test = TestLog.open(folder)) {
      test.store(batches);
      return test.log.live().getFirst().file();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aStoredSegmentSurvivesARestart() throws IOException {
    storeOneSegment();

    try (var again = TestLog.open(folder)) {
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "notes.txt",
        "x.flushed",
        "x.active",
        ULID + ".flushed",
        LATER + "-" + ULID + ".flushed",
        ULID + "-" + LATER + "-1.flushed",
        ULID + "-" + LATER + "-0.trashed",
        ULID + "-" + LATER + ".flushed.bak",
        ULID + ".swapped",
        "other.swap",
      })
  void aForeignFileIsLeftAlone(String name) throws IOException {
    Files.writeString(folder.resolve(name), "mine");

    try (var test = TestLog.open(folder)) {
      assertThat(test.log.live()).isEmpty();
    }

    assertThat(folder.resolve(name)).hasContent("mine");
  }

  @ParameterizedTest
  @ValueSource(strings = {ULID + ".active", ULID + ".swap", "gather/consume-0-3.spool"})
  void whatWasNotFinishedIsDeleted(String name) throws IOException {
    storeOneSegment();
    Files.writeString(folder.resolve(name), "cordwood swap 1\ndelete");

    try (var again = TestLog.open(folder)) {
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(batches));
    }

    assertThat(folder.resolve(name)).doesNotExist();
  }

  @Test
  void aNoteWhoseNewSegmentIsGoneDeletesNothing() throws IOException {
    Path file = storeOneSegment();
    var rename = new SwapFile.Rename(ULID + ".active", ULID + "-" + ULID + ".flushed");
    Path note = writeNote(rename, file);

    try (var again = TestLog.open(folder)) {
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
    assertThat(note).doesNotExist();
  }

  @Test
  void aNoteWhoseNewSegmentIsThereIsFinished() throws IOException {
    Path file = storeOneSegment();
    Files.copy(file, folder.resolve(ULID + ".active"));
    String name = ULID + "-" + LATER + ".flushed";
    Path note = writeNote(new SwapFile.Rename(ULID + ".active", name), file);

    try (var again = TestLog.open(folder)) {
      assertThat(again.log.infos()).extracting(SegmentInfo::name).containsExactly(name);
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
    assertThat(note).doesNotExist();
    assertThat(file).doesNotExist();
  }

  private Path writeNote(SwapFile.Rename rename, Path delete) throws IOException {
    var swap = new SwapFile(List.of(rename), List.of(delete.getFileName().toString()));
    Path note = folder.resolve(ULID + SwapFile.ENDING);
    swap.write(new StoreFolder(Filesystem.real(), folder, InstantSource.system()), note);
    return note;
  }

  @Test
  void trashedAndDamagedSegmentsAreLeftAndNotServed() throws IOException {
    Path file = storeOneSegment();
    Files.copy(file, Path.of(file.toString().replace(".flushed", ".damaged")));
    Files.move(file, Path.of(file.toString().replace(".flushed", ".trashed")));

    try (var again = TestLog.open(folder)) {
      assertThat(again.log.live()).isEmpty();
    }

    assertThat(names()).filteredOn(n -> n.matches(".*(trashed|damaged)$")).hasSize(3);
  }

  @Test
  void aTrashedSegmentIsTakenBackByRenamingIt() throws IOException {
    Path file = storeOneSegment();
    try (var test = TestLog.open(folder)) {
      test.log.trash(test.log.live().getFirst(), Instant.now());
      assertThat(test.log.live()).isEmpty();
    }
    Files.move(Path.of(file.toString().replace(".flushed", ".trashed")), file);

    try (var again = TestLog.open(folder)) {
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  @Test
  void aSegmentWhoseIndexIsDamagedIsSalvagedWhole() throws IOException {
    Path file = storeOneSegment();
    BitFlips.flip(file, -1);

    try (var again = TestLog.open(folder)) {
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(batches));
      assertThat(again.count("damaged.segments")).isEqualTo(1);
    }
    assertThat(names()).filteredOn(n -> n.endsWith(".damaged")).hasSize(1);
    try (var third = TestLog.open(folder)) {
      assertThat(Stored.batches(third.log)).isEqualTo(SegmentFiles.sorted(batches));
      assertThat(third.count("damaged.segments")).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100})
  void aFileWithNothingIntactIsSetAside(int length) throws IOException {
    Files.write(folder.resolve(ULID + "-" + LATER + ".flushed"), new byte[length]);

    try (var test = TestLog.open(folder)) {
      assertThat(test.log.live()).isEmpty();
    }

    assertThat(names()).contains(ULID + "-" + LATER + ".damaged");
  }

  /** A sparse file of a tebibyte: to look through it would take hours. */
  @Test
  void aFileThatNoSegmentCanBeIsSetAsideUnread() throws IOException {
    try (var file =
        new RandomAccessFile(folder.resolve(ULID + "-" + LATER + ".flushed").toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    try (var test = TestLog.open(folder)) {
      assertThat(test.log.live()).isEmpty();
    }
    assertThat(names()).contains(ULID + "-" + LATER + ".damaged");
  }

  /** Whatever is done to a segment's file, the store starts, and what it serves was stored. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void aMutatedSegmentNeverGivesAWrongRecord(long seed) throws IOException {
    Path file = storeOneSegment();
    var random = new SplittableRandom(seed);
    byte[] bytes = Files.readAllBytes(file);
    switch (random.nextInt(3)) {
      case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 1 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      default -> {
        int at = random.nextInt(bytes.length);
        Arrays.fill(bytes, at, Math.min(bytes.length, at + 50), (byte) 0);
      }
    }
    Files.write(file, bytes);

    try (var again = TestLog.open(folder)) {
      List<Batch> expected = SegmentFiles.sorted(batches);
      again.compact();
      for (LiveSegment segment : again.log.live()) {
        for (var block : segment.segment().blocks()) {
          try (var decoder = new BlockDecoder()) {
            assertThat(expected)
                .as("seed %d", seed)
                .containsAll(segment.segment().read(block, decoder).toBatches());
          } catch (CorruptException e) {
            assertThat(e).hasMessageContaining("expected");
          }
        }
      }
    }
  }

  @Test
  void aFolderBelongsToOneStore() throws IOException {
    try (var first = TestLog.open(folder)) {
      assertThat(first.log.live()).isEmpty();
      assertThatThrownBy(() -> TestLog.open(folder)).isInstanceOf(FolderInUseException.class);
    }
    TestLog.open(folder).close();
  }
}
