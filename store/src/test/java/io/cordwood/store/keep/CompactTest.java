package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merging segments changes nothing but their number. */
final class CompactTest {
  private static final int BODY_OF_FIRST_BLOCK = 16 + 68 + "default".length() + 5;

  @TempDir Path folder;
  private final Records records = new Records(21);
  private final List<Batch> all = new ArrayList<>();

  private List<Batch> someBatches(int count) {
    List<Batch> batches = records.labelledBatches(count, 5);
    all.addAll(batches);
    return batches;
  }

  private void storeSmall(TestLog test, int segments) throws IOException {
    for (int i = 0; i < segments; i++) {
      test.store(someBatches(3));
    }
  }

  @Test
  void manySmallSegmentsBecomeFewWithTheSameBatches() throws IOException {
    try (var test = TestLog.open(folder)) {
      storeSmall(test, 200);

      assertThat(test.compact()).isPositive();

      assertThat(test.log.live()).hasSizeLessThan(130);
      assertThat(TestLog.files(folder, ".flushed")).isEqualTo(test.log.live().size());
      assertThat(TestLog.files(folder, ".swap") + TestLog.files(folder, ".active")).isZero();
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(all));
    }
    try (var again = TestLog.open(folder)) {
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(all));
    }
  }

  @Test
  void whatIsMergedIsAsOldAsTheNewestOfItsParts() throws IOException {
    FileTime newest = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    try (var test = TestLog.open(folder)) {
      List<Batch> same = someBatches(3);
      for (int days = 0; days < 3; days++) {
        test.store(same);
        Path file = test.log.live().getLast().file();
        Files.setLastModifiedTime(
            file, FileTime.from(newest.toInstant().minus(Duration.ofDays(days))));
      }

      assertThat(test.compact()).isPositive();

      Path merged = test.log.live().getFirst().file();
      assertThat(test.log.live()).hasSize(1);
      assertThat(Files.getLastModifiedTime(merged)).isEqualTo(newest);
    }
  }

  @Test
  void aLittleRoomIsEnoughForSmallSegments() throws IOException {
    var disk = new FaultyFilesystem((_, _) -> false);
    try (var test = new TestLog(folder, disk, 1 << 20)) {
      storeSmall(test, 200);
      disk.sayUsable(1 << 20);
      assertThat(test.compact()).isZero();

      disk.sayUsable(32 << 20);

      assertThat(test.compact()).isPositive();
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(all));
    }
  }

  @Test
  void segmentsForWhichThereIsNoRoomKeepNoOthersFromBeingCompacted() throws IOException {
    var disk = new FaultyFilesystem((_, _) -> false);
    try (var test = new TestLog(folder, disk, 1 << 20)) {
      for (int count : List.of(3, 3000, 3)) {
        List<Batch> batches = someBatches(count);
        test.store(batches);
        test.store(batches);
      }
      disk.sayUsable((1 << 20) + (128 << 10));

      assertThat(test.compact()).isEqualTo(2);

      assertThat(test.log.live()).hasSize(4);
      disk.sayUsable(Long.MAX_VALUE);
      assertThat(test.compact()).isEqualTo(1);
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(all));
    }
  }

  @Test
  void whatWasStoredTwiceIsStoredOnceAfterwards() throws IOException {
    try (var test = TestLog.open(folder)) {
      List<Batch> batches = someBatches(20);
      test.store(batches);
      test.store(batches);
      assertThat(test.log.live()).hasSize(2);

      assertThat(test.compact()).isEqualTo(1);

      assertThat(test.log.live()).hasSize(1);
      assertThat(test.log.infos().getFirst().records())
          .isEqualTo(batches.stream().mapToLong(Batch::records).sum());
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  @Test
  void copiesOfTheSameBatchesInSegmentsOfOtherRangesAreDroppedWhenTheyMeet() throws IOException {
    try (var test = TestLog.open(folder)) {
      List<Batch> batches = someBatches(600);
      for (int i = 0; i < 300; i++) {
        test.store(batches.subList(2 * i, Math.min(2 * i + 4, 600)));
      }
      long once = batches.stream().mapToLong(Batch::records).sum();
      long before = test.log.infos().stream().mapToLong(SegmentInfo::records).sum();
      assertThat(before).isGreaterThan(once * 19 / 10);

      assertThat(test.compact()).isPositive();

      long after = test.log.infos().stream().mapToLong(SegmentInfo::records).sum();
      long dropped =
          (long)
              test.registry
                  .get("cordwood.store.duplicate.records")
                  .tag("where", "compact")
                  .counter()
                  .count();
      assertThat(after).isEqualTo(before - dropped);
      assertThat(dropped).isGreaterThan(once / 4);
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  @Test
  void aViewThatIsOpenStaysAsItWas() throws IOException {
    try (var test = TestLog.open(folder)) {
      storeSmall(test, 140);
      try (var before = test.log.view(UlidRange.ALL)) {
        test.compact();

        assertThat(before.segments()).hasSize(140);
        assertThat(Stored.merged(before.segments())).isEqualTo(SegmentFiles.sorted(all));
      }
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(all));
    }
  }

  @Test
  void aDamagedSegmentIsSalvagedAndHoldsUpNoOther() throws IOException {
    List<Batch> damaged;
    Path victim;
    try (var test = TestLog.open(folder)) {
      storeSmall(test, 100);
      damaged = someBatches(6);
      test.store(damaged);
      victim = test.log.live().getLast().file();
      storeSmall(test, 50);
    }
    flip(victim, BODY_OF_FIRST_BLOCK);
    try (var test = TestLog.open(folder)) {
      assertThat(test.compact()).isPositive();

      assertThat(test.log.live()).hasSizeLessThan(130);
      assertThat(TestLog.files(folder, ".damaged")).isEqualTo(1);
      assertThat(test.count("damaged.segments")).isEqualTo(1);
      // The first block is the one of the topic "default", the second that of "other".
      all.removeIf(b -> damaged.contains(b) && b.topic().equals(Topic.DEFAULT));
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(all));
    }
  }

  private static void flip(Path file, int at) throws IOException {
    BitFlips.flip(file, at);
  }
}
