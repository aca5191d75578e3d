package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.FaultAt;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A segment is settled once, when it is its turn; whatever happens, it is the old or the new. */
final class SettlingTest {
  private static final long TARGET_BYTES = 16 << 10;
  private static final int MAX_STEPS = 200;

  @TempDir Path folders;
  private final Records records = new Records(31);
  private Instant now = Instant.now();
  private StoreOptions.Settling times = new StoreOptions.Settling(Duration.ofHours(1), 1L << 40);
  private final StopFlag stop = new StopFlag();

  private List<Batch> someBatches() {
    return TestLog.batches(records, TARGET_BYTES);
  }

  private TestLog open(Path folder) throws IOException {
    return open(folder, Filesystem.real());
  }

  private static TestLog open(Path folder, Filesystem disk) throws IOException {
    return new TestLog(folder, disk, TARGET_BYTES);
  }

  private Settling settling(TestLog test) {
    return new Settling(
        test.options.with(times), test.log, test.metrics, () -> now, stop, test.damageHandler);
  }

  /** Takes turns until there is nothing to do at once. */
  private void settle(TestLog test) throws IOException {
    try (var settling = settling(test)) {
      while (settling.turn().isZero()) {
        // Goes on.
      }
    }
  }

  private static List<Boolean> settled(TestLog test) {
    return test.log.live().stream().map(s -> s.segment().isSettled()).toList();
  }

  private static double waiting(TestLog test) {
    return test.registry.get("cordwood.store.settle.waiting.segments").gauge().value();
  }

  private static double failed(TestLog test, String what) {
    var counter = test.registry.find("cordwood.store.failures").tag("what", what).counter();
    return counter == null ? 0 : counter.count();
  }

  @Test
  void whatIsOldEnoughIsSettledOnceAndStaysSo() throws IOException {
    List<Batch> all = new ArrayList<>();
    Path folder = folders.resolve("store");
    List<SegmentInfo> infos;
    try (var test = open(folder)) {
      for (int i = 0; i < 3; i++) {
        List<Batch> batches = someBatches();
        test.store(batches);
        all.addAll(batches);
      }
      long before = test.log.fileBytes();
      now = test.log.live().get(1).info().range().to().time().plus(Duration.ofHours(1));
      settle(test);

      assertThat(settled(test)).containsExactly(true, true, false);
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(all));
      assertThat(TestLog.files(folder, ".flushed")).isEqualTo(3);
      assertThat(TestLog.files(folder, ".active") + TestLog.files(folder, ".swap")).isZero();
      assertThat(test.count("settle.in.bytes") - test.count("settle.out.bytes"))
          .isEqualTo(before - test.log.fileBytes());
      assertThat(test.registry.get("cordwood.store.settle.cpu.seconds").functionCounter().count())
          .isPositive();
      infos = test.log.infos();
      settle(test);
      assertThat(test.log.infos()).isEqualTo(infos);
    }
    try (var again = open(folder)) {
      assertThat(again.log.infos()).isEqualTo(infos);
      assertThat(settled(again)).containsExactly(true, true, false);
      assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(all));
    }
  }

  @Test
  void whatCompactionWillMergeIsLeftToIt() throws IOException {
    try (var test = new TestLog(folders.resolve("store"), Filesystem.real(), 1 << 20)) {
      test.store(someBatches());
      settle(test);
      assertThat(settled(test)).containsExactly(false);
      assertThat(waiting(test)).isZero();
    }
  }

  @Test
  void aRateOfZeroSettlesNothing() throws IOException {
    times = new StoreOptions.Settling(Duration.ZERO, 0);
    try (var test = open(folders.resolve("store"))) {
      test.store(someBatches());
      settle(test);
      assertThat(settled(test)).containsExactly(false);
    }
  }

  @Test
  void itWaitsWhileAQueryHasSegmentsOpen() throws IOException {
    try (var test = open(folders.resolve("store"))) {
      List<Batch> batches = someBatches();
      test.store(batches);
      try (var settling = settling(test)) {
        try (var view = test.log.view(UlidRange.ALL)) {
          assertThat(settling.turn()).isPositive().isLessThan(Duration.ofSeconds(1));
          assertThat(waiting(test)).isEqualTo(1);
          assertThat(Stored.merged(view.segments())).isEqualTo(SegmentFiles.sorted(batches));
        }
        assertThat(settling.turn()).isZero();
        assertThat(settled(test)).containsExactly(true);
      }
    }
  }

  /** Also while it chooses a dictionary, for which it reads blocks before it writes the first. */
  @Test
  void whenAQueryComesItReadsNoFurtherBlock() throws IOException {
    var disk = new WatchedDisk();
    try (var test = open(folders.resolve("store"), disk.filesystem())) {
      test.store(someBatches());
      Deque<SegmentSource.View> queries = new ArrayDeque<>();
      disk.whenABlockIsRead(
          test.log.live().getFirst(), () -> queries.add(test.log.view(UlidRange.ALL)));
      int turns = 0;
      try (var settling = settling(test)) {
        while (!settled(test).contains(true)) {
          assertThat(settling.turn()).isZero();
          assertThat(queries.size()).isLessThanOrEqualTo(1);
          queries.forEach(SegmentSource.View::close);
          queries.clear();
          turns++;
        }
      }
      assertThat(turns).isGreaterThan(2 * test.log.live().getFirst().segment().blocks().size());
    }
  }

  @Test
  void theRateHoldsFromTheFirstBlockOn() throws IOException {
    times = new StoreOptions.Settling(Duration.ZERO, 1);
    now = Instant.MAX;
    var disk = new WatchedDisk();
    try (var test = open(folders.resolve("store"), disk.filesystem())) {
      test.store(someBatches());
      var blocks = new AtomicInteger();
      disk.whenABlockIsRead(test.log.live().getFirst(), blocks::incrementAndGet);
      stop.stop(); // Ends the wait that its rate asks for.
      try (var settling = settling(test)) {
        assertThatThrownBy(settling::turn).isInstanceOf(InterruptedIOException.class);
      }
      assertThat(blocks).hasValue(1);
      assertThat(settled(test)).containsExactly(false);
    }
  }

  @Test
  void aQueryThatIsOpenReadsOnWhatWasThere() throws IOException {
    try (var test = open(folders.resolve("store"))) {
      List<Batch> batches = someBatches();
      test.store(batches);
      LiveSegment old = test.log.live().getFirst();
      assertThat(old.segment().retain()).isTrue(); // As a query that came between two looks.
      settle(test);
      assertThat(settled(test)).containsExactly(true);
      assertThat(Stored.merged(List.of(old.segment()))).isEqualTo(SegmentFiles.sorted(batches));
      old.segment().release();
    }
  }

  /** Otherwise settling would keep records for longer than they may be kept. */
  @Test
  void itsFileIsAsOldAsItWas() throws IOException {
    try (var test = open(folders.resolve("store"))) {
      test.store(someBatches());
      var time = FileTime.from(Instant.parse("2026-01-02T03:04:05Z"));
      Files.setLastModifiedTime(test.log.live().getFirst().file(), time);
      settle(test);
      assertThat(settled(test)).containsExactly(true);
      assertThat(Files.getLastModifiedTime(test.log.live().getFirst().file())).isEqualTo(time);
    }
  }

  @Test
  void oneThatIsTakenAwayMeanwhileIsGivenUp() throws IOException {
    Path folder = folders.resolve("store");
    try (var test = open(folder)) {
      test.store(someBatches());
      try (var job = test.log.newSettled(test.log.live().getFirst())) {
        assertThat(job.step()).isPositive();
        assertThat(TestLog.files(folder, ".active")).isEqualTo(1);
      }
      assertThat(TestLog.files(folder, ".active")).isZero();
      test.log.trash(test.log.live().getFirst(), now);
      settle(test);
      assertThat(test.log.live()).isEmpty();
      assertThat(waiting(test)).isZero();
    }
  }

  @Test
  void aFullDiskLeavesItAsItIsAndIsCounted() throws IOException {
    var disk = new FaultyFilesystem((_, _) -> false);
    Path folder = folders.resolve("store");
    try (var test = open(folder, disk)) {
      List<Batch> batches = someBatches();
      test.store(batches);
      disk.sayUsable(1 << 20);
      settle(test);
      assertThat(settled(test)).containsExactly(false);
      assertThat(failed(test, "settle-no-room")).isEqualTo(1);
      assertThat(waiting(test)).isEqualTo(1);
      disk.sayUsable(Long.MAX_VALUE);
      settle(test);
      assertThat(settled(test)).containsExactly(true);
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  /** The disk fails at every change that settling makes, once or for good. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDiskThatFailsAtAnyStepLeavesTheOldOrTheNew(boolean forGood) throws IOException {
    List<Batch> batches = someBatches();
    for (int step = 0; step < MAX_STEPS; step++) {
      var fault = new FaultAt();
      fault.failAt(Long.MAX_VALUE, false);
      Path folder = folders.resolve(forGood + "-" + step);
      try (var test = open(folder, new FaultyFilesystem(fault))) {
        test.store(batches);
        fault.failAt(step, forGood);
        settle(test);
        assertThat(Stored.batches(test.log)).as("%d", step).isEqualTo(SegmentFiles.sorted(batches));
      }
      assertOneWhole(folder, batches, "step " + step);
      if (!fault.hasFailed()) {
        assertThat(step).isGreaterThan(5);
        return;
      }
    }
    fail("more than %d steps", MAX_STEPS);
  }

  @Test
  void aPowerLossAtAnyPointLeavesTheOldOrTheNew() throws IOException {
    List<Batch> batches = someBatches();
    var disk = new CrashingFilesystem();
    Path folder = folders.resolve("store");
    int from;
    try (var test = open(folder, disk)) {
      test.store(batches);
      from = disk.point();
      settle(test);
      assertThat(settled(test)).containsExactly(true);
    }
    var random = new SplittableRandom(3);
    var loss = new PowerLoss(disk, from);
    for (int point = from; point <= disk.point(); point++) {
      loss.goOnTo(point);
      for (PowerLoss.Survival survival : PowerLoss.Survival.values()) {
        Path left = Files.createDirectory(folders.resolve(point + "-" + survival));
        for (var file : loss.state(survival, random).entrySet()) {
          if (folder.equals(file.getKey().getParent())) {
            Path copy = left.resolve(file.getKey().getFileName());
            Files.write(copy, file.getValue().array());
          }
        }
        assertOneWhole(left, batches, point + " " + survival);
      }
    }
  }

  private void assertOneWhole(Path folder, List<Batch> batches, String when) throws IOException {
    try (var again = open(folder)) {
      assertThat(again.log.live()).as(when).hasSize(1);
      assertThat(Stored.batches(again.log)).as(when).isEqualTo(SegmentFiles.sorted(batches));
      assertThat(TestLog.files(folder, ".active") + TestLog.files(folder, ".swap"))
          .as(when)
          .isZero();
      settle(again);
      assertThat(settled(again)).as(when).containsExactly(true);
      assertThat(Stored.batches(again.log)).as(when).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  @Test
  void aSettledOneIsMergedWithOneThatIsNot() throws IOException {
    try (var test = open(folders.resolve("store"))) {
      List<Batch> batches = someBatches();
      test.store(batches);
      settle(test);
      test.store(batches);
      assertThat(settled(test)).containsExactlyInAnyOrder(true, false);

      assertThat(test.compact()).isEqualTo(1);

      assertThat(settled(test)).containsExactly(false);
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(batches));
      settle(test);
      assertThat(settled(test)).containsExactly(true);
      assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(batches));
    }
  }
}
