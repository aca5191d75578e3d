package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StopFlag;
import io.cordwood.store.keep.LostRange;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What rots on the disk is found without a query that meets it, and only it is lost. */
final class ScrubTest {
  private static final Duration WEEK = Duration.ofDays(7);

  @TempDir Path folder;
  private final Records records = new Records(77);
  private final StopFlag stop = new StopFlag();
  private Instant now = Instant.now();
  private volatile String unreadableName = "none";
  private volatile long unreadableFrom;
  private volatile long unreadableTo;

  private Scrub scrub(TestLog test) {
    var options = RepairOptions.DEFAULT.withScrub(1L << 40, WEEK);
    return new Scrub(test.log, options, () -> now, new RepairMetrics(test.registry), stop);
  }

  private List<Batch> someBatches(int count) {
    return records.batches(count, 5);
  }

  private static int runAll(Scrub scrub) {
    int checked = 0;
    while (scrub.runOnce()) {
      checked++;
    }
    return checked;
  }

  private static List<Batch> without(List<Batch> batches, Topic topic) {
    return SegmentFiles.sorted(batches).stream().filter(b -> !b.topic().equals(topic)).toList();
  }

  @Test
  void aSegmentIsReadAgainWhenItIsAWeekOldAndThenEveryWeek() throws IOException {
    try (var test = TestLog.open(folder)) {
      for (int i = 0; i < 3; i++) {
        test.store(someBatches(5));
      }
      var scrub = scrub(test);
      assertThat(runAll(scrub)).isZero();
      now = now.plus(WEEK).plusSeconds(60);
      assertThat(runAll(scrub)).isEqualTo(3);
      assertThat(runAll(scrub)).isZero();
      now = now.plus(WEEK);
      assertThat(runAll(scrub)).isEqualTo(3);

      long bytes = test.log.infos().stream().mapToLong(SegmentInfo::fileBytes).sum();
      assertThat(test.count("scrubbed.bytes")).isGreaterThanOrEqualTo(2.0 * bytes);
      assertThat(test.count("scrubbed.segments")).isEqualTo(6);
      assertThat(test.count("scrub.damaged.segments")).isZero();
    }
  }

  @Test
  void eachByteThatRotsIsFoundAndOnlyItsBlockIsLost() throws IOException {
    List<Batch> batches = someBatches(12);
    try (var test = TestLog.open(folder)) {
      test.store(batches);
      LiveSegment segment = test.log.live().getFirst();
      BlockInfo second = segment.segment().blocks().get(1);
      BitFlips.flip(segment.file(), second.offset() + second.storedBytes() / 2);
      now = now.plus(WEEK.multipliedBy(2));

      assertThat(runAll(scrub(test))).isEqualTo(1);
      test.healSuspects();

      assertThat(Stored.batches(test.log)).isEqualTo(without(batches, second.topic()));
      assertThat(TestLog.files(folder, ".damaged")).isEqualTo(1);
      assertThat(test.count("damaged.segments")).isEqualTo(1);
      assertThat(test.count("damaged.blocks")).isEqualTo(1);
      assertThat(test.lost.take())
          .containsExactly(
              new LostRange(second.topic(), second.range(), second.records(), second.rawBytes()));
    }
  }

  @Test
  void aRottenFilterIndexOrFooterLosesNothing() throws IOException {
    for (int fromEnd : new int[] {10, 120, 400}) {
      Path own = folder.resolve("at-" + fromEnd);
      List<Batch> batches = someBatches(12);
      try (var test = TestLog.open(own)) {
        test.store(batches);
        LiveSegment segment = test.log.live().getFirst();
        BitFlips.flip(segment.file(), segment.info().fileBytes() - fromEnd);
        now = now.plus(WEEK.multipliedBy(2));

        assertThat(runAll(scrub(test))).isEqualTo(1);
        test.healSuspects();

        assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(batches));
        assertThat(test.count("damaged.segments")).as("%d", fromEnd).isEqualTo(1);
        assertThat(test.lost.size()).isZero();
      }
    }
  }

  private boolean isUnreadable(Path path, long position) {
    return path.toString().endsWith(unreadableName)
        && position >= unreadableFrom
        && position < unreadableTo;
  }

  private TestLog onFailingDisk() throws IOException {
    Filesystem disk = new FaultyFilesystem((_, _) -> false, this::isUnreadable);
    return new TestLog(folder, disk, 1 << 20);
  }

  @Test
  void aPageThatTheDiskDoesNotGiveCostsItsBlockOnly() throws IOException {
    List<Batch> batches = someBatches(1500);
    try (var test = onFailingDisk()) {
      test.store(batches);
      LiveSegment segment = test.log.live().getFirst();
      List<BlockInfo> blocks = segment.segment().blocks();
      BlockInfo bad = blocks.getLast();
      unreadableFrom = bad.offset() - bad.offset() % 4096;
      unreadableTo = bad.offset() + 1;
      unreadableName = segment.info().name();
      now = now.plus(WEEK.multipliedBy(2));
      assertThat(unreadableFrom).isGreaterThan(blocks.get(1).offset());

      assertThat(runAll(scrub(test))).isEqualTo(1);
      test.healSuspects();

      assertThat(test.count("scrub.damaged.segments")).isEqualTo(1);
      List<LostRange> lost = test.lost.take();
      assertThat(lost).isNotEmpty();
      assertThat(lost.getLast().topic()).isEqualTo(bad.topic());
      assertThat(Stored.batches(test.log))
          .isNotEmpty()
          .isEqualTo(
              SegmentFiles.sorted(batches).stream()
                  .filter(b -> lost.stream().noneMatch(l -> covers(l, b)))
                  .toList());
    }
  }

  private static boolean covers(LostRange lost, Batch batch) {
    return lost.topic().equals(batch.topic()) && lost.range().contains(batch.first());
  }

  @Test
  void aSegmentOfWhichTheDiskGivesNothingIsLeftWhereItIs() throws IOException {
    try (var test = onFailingDisk()) {
      test.store(someBatches(20));
      unreadableName = test.log.infos().getFirst().name();
      unreadableTo = Long.MAX_VALUE;
      now = now.plus(WEEK.multipliedBy(2));

      assertThat(runAll(scrub(test))).isEqualTo(1);
      test.healSuspects();

      assertThat(TestLog.files(folder, ".flushed")).isEqualTo(1);
      assertThat(TestLog.files(folder, ".damaged")).isZero();
      assertThat(test.isLeftOut(test.log.live().getFirst())).isTrue();
      assertThat(test.registry.get("cordwood.store.unreadable.segments").gauge().value())
          .isEqualTo(1);
    }
  }

  @Test
  void aSegmentThatWentMeanwhileIsNotTreated() throws IOException {
    try (var test = TestLog.open(folder)) {
      test.store(someBatches(5));
      LiveSegment gone = test.log.live().getFirst();
      test.log.suspect(gone);
      test.log.trash(gone, now);

      test.healSuspects();

      assertThat(TestLog.files(folder, ".trashed")).isEqualTo(1);
      assertThat(test.count("damaged.segments")).isZero();
    }
  }

  @Test
  void scrubbingEndsWhenTheStoreStops() throws IOException {
    try (var test = TestLog.open(folder)) {
      test.store(someBatches(50));
      now = now.plus(WEEK.multipliedBy(2));
      stop.stop();
      var options = RepairOptions.DEFAULT.withScrub(1, WEEK);
      var scrub = new Scrub(test.log, options, () -> now, new RepairMetrics(test.registry), stop);

      assertThat(scrub.runOnce()).isTrue();

      assertThat(test.count("scrubbed.segments")).isZero();
      assertThat(test.count("scrub.damaged.segments")).isZero();
    }
  }
}
