package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is old is trashed and then purged; what is young never is, whatever a clock says. */
final class RetentionTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  @TempDir Path folder;
  private Instant wall = START;
  private long nanos;

  private void pass(Duration time) {
    wall = wall.plus(time);
    nanos += time.toNanos();
  }

  private Retention retention(TestLog test, long maxBytes) throws IOException {
    return test.retention(
        new StoreOptions.Keeping(DAY.multipliedBy(7), DAY, maxBytes), () -> wall, () -> nanos);
  }

  private void store(TestLog test, Instant records, Instant written) throws IOException {
    Ulid first = Ulid.firstOf(records.toEpochMilli());
    test.store(List.of(Records.lines(first, "a line")));
    Path file =
        test.log.live().stream()
            .filter(s -> s.info().range().from().equals(first))
            .findFirst()
            .orElseThrow()
            .file();
    Files.setLastModifiedTime(file, FileTime.from(written));
  }

  private long files(String ending) throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.filter(p -> p.toString().endsWith(ending)).count();
    }
  }

  @Test
  void aSegmentIsTrashedAfterTheRetentionAndPurgedAfterTheGrace() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      var retention = retention(test, 0);
      pass(DAY.multipliedBy(7));
      retention.run();
      assertThat(files(".flushed")).isEqualTo(1);

      pass(Duration.ofMinutes(1));
      retention.run();
      assertThat(files(".flushed")).isZero();
      assertThat(files(".trashed")).isEqualTo(1);

      pass(DAY);
      retention.run();
      assertThat(files(".trashed")).isEqualTo(1);

      pass(Duration.ofMinutes(1));
      retention.run();
      assertThat(files(".trashed")).isZero();
    }
  }

  @Test
  void aSegmentWhoseRecordsAloneAreOldIsKept() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START.minus(DAY.multipliedBy(300)), START);
      var retention = retention(test, 0);
      pass(DAY);
      retention.run();

      assertThat(files(".flushed")).isEqualTo(1);
    }
  }

  @Test
  void aSegmentWhoseFileAloneIsOldIsKept() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START.minus(DAY.multipliedBy(300)));
      store(test, START.plusMillis(1), START);
      var retention = retention(test, 0);
      pass(DAY);
      retention.run();

      assertThat(files(".flushed")).isEqualTo(2);
    }
  }

  /** A compaction happened for readers, and the disk has not given the new segment its name yet. */
  @Test
  void aSegmentThatIsNotYetUnderItsNameKeepsNoOtherFromGoing() throws IOException {
    var disk = new DiskThatRenamesNotAll();
    try (var test = new TestLog(folder, disk, 1 << 20)) {
      var retention = retention(test, 0);
      var batch = Records.lines(Ulid.firstOf(START.toEpochMilli()), "a line");
      test.store(List.of(batch));
      test.store(List.of(batch));
      disk.blocked = _ -> true;
      assertThat(test.compact()).isEqualTo(1);
      Path merged = test.log.live().getFirst().file();
      assertThat(merged).doesNotExist();
      disk.blocked = merged::equals;
      store(test, START.plusMillis(2), START);

      pass(DAY.multipliedBy(7).plusMinutes(1));
      retention.run();
      assertThat(files(".trashed")).isEqualTo(1);
      assertThat(test.log.live()).singleElement().matches(left -> left.file().equals(merged));

      disk.blocked = _ -> false;
      test.log.finishSwaps();
      Files.setLastModifiedTime(merged, FileTime.from(START));
      retention.run();
      assertThat(files(".trashed")).isEqualTo(2);
      assertThat(test.log.live()).isEmpty();
    }
  }

  private static final class DiskThatRenamesNotAll extends PassThroughFilesystem {
    private Predicate<Path> blocked = _ -> false;

    @Override
    public void rename(Path from, Path to) throws IOException {
      if (blocked.test(to)) {
        throw new IOException("expected: " + to + " is not renamed");
      }
      super.rename(from, to);
    }
  }

  @Test
  void aClockThatJumpsAheadTrashesNothingYoung() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      var retention = retention(test, 0);
      wall = START.plus(DAY.multipliedBy(30));
      retention.run();
      pass(DAY.multipliedBy(2));
      retention.run();

      assertThat(files(".flushed")).isEqualTo(1);
    }
  }

  @Test
  void aClockThatWasWrongAtTheStartTrashesNothingYoung() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      wall = START.plus(DAY.multipliedBy(30));
      var retention = retention(test, 0);
      retention.run();
      pass(DAY.multipliedBy(2));
      retention.run();

      assertThat(files(".flushed")).isEqualTo(1);
    }
  }

  @Test
  void aFileThatAWrongClockHasWrittenIsNoProofOfTheTimeAtTheNextStart() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      wall = START.plus(DAY.multipliedBy(30));
      store(test, START.plusSeconds(60), wall);
      var retention = retention(test, 0);
      retention.run();

      assertThat(files(".flushed")).isEqualTo(2);
    }
  }

  @Test
  void aClockThatJumpsADayAheadAfterItWasRightForLongTrashesNothingYoung() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      var retention = retention(test, 0);
      for (int hour = 0; hour < 6 * 24 + 12; hour++) {
        pass(Duration.ofHours(1));
        retention.run();
      }
      wall = wall.plus(DAY);
      retention.run();
      pass(Duration.ofHours(1));
      retention.run();
      assertThat(files(".flushed")).isEqualTo(1);

      pass(Duration.ofHours(12));
      retention.run();
      assertThat(files(".flushed")).isZero();
      assertThat(files(".trashed")).isEqualTo(1);
    }
  }

  @Test
  void aClockThatJumpsADayBackKeepsThingsADayLongerAtMost() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      var retention = retention(test, 0);
      pass(DAY.multipliedBy(6));
      retention.run();
      wall = wall.minus(DAY);
      retention.run();
      pass(DAY.plusMinutes(1));
      retention.run();
      assertThat(files(".flushed")).isEqualTo(1);

      pass(DAY);
      retention.run();
      assertThat(files(".flushed")).isZero();
    }
  }

  @Test
  void aClockThatJumpsBackTrashesNothing() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      var retention = retention(test, 0);
      wall = START.minus(DAY.multipliedBy(30));
      retention.run();

      assertThat(files(".flushed")).isEqualTo(1);
    }
  }

  @Test
  void aClockThatWasPutRightIsBelievedInTheEnd() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      wall = START.minus(DAY.multipliedBy(3));
      var retention = retention(test, 0);
      wall = START;
      for (int day = 0; day < 12; day++) {
        pass(DAY);
        retention.run();
      }

      assertThat(files(".flushed")).isZero();
    }
  }

  @Test
  void aQueryFinishesOnASegmentThatIsTrashedAndPurgedMeanwhile() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      var retention = retention(test, 0);
      try (var view = test.log.view(UlidRange.ALL)) {
        pass(DAY.multipliedBy(8));
        retention.run();
        pass(DAY.multipliedBy(2));
        retention.run();

        assertThat(files(".flushed") + files(".trashed")).isZero();
        assertThat(Stored.merged(view.segments())).hasSize(1);
      }
    }
  }

  @Test
  void beyondTheByteBudgetTheOldestGo() throws IOException {
    try (var test = TestLog.open(folder)) {
      for (int i = 0; i < 10; i++) {
        store(test, START.plusSeconds(i), START.plusSeconds(i));
      }
      long each = test.log.infos().getFirst().fileBytes();
      retention(test, 4 * each).run();

      assertThat(test.log.infos())
          .extracting(s -> s.range().from().time())
          .containsExactly(
              START.plusSeconds(6),
              START.plusSeconds(7),
              START.plusSeconds(8),
              START.plusSeconds(9));
      assertThat(files(".trashed")).isZero();
    }
  }

  @Test
  void beyondTheByteBudgetTrashGoesFirst() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START.minus(DAY.multipliedBy(8)), START.minus(DAY.multipliedBy(8)));
      store(test, START, START);
      store(test, START.plusSeconds(1), START.plusSeconds(1));
      long each = test.log.infos().getFirst().fileBytes();
      pass(Duration.ofMinutes(1));
      retention(test, 2 * each).run();

      assertThat(files(".trashed")).isZero();
      assertThat(test.log.infos())
          .extracting(s -> s.range().from().time())
          .containsExactly(START, START.plusSeconds(1));
    }
  }

  @Test
  void theHorizonIsWhereTheRetentionEndsOrWhereTheBudgetDoes() throws IOException {
    try (var test = TestLog.open(folder)) {
      for (int i = 0; i < 10; i++) {
        store(test, START.plusSeconds(i), START.plusSeconds(i));
      }
      long each = test.log.infos().getFirst().fileBytes();
      pass(DAY);
      var unbounded = retention(test, 0);
      unbounded.run();
      assertThat(unbounded.horizons().of(Topic.DEFAULT)).isBefore(START);

      var bounded = retention(test, 4 * each);
      bounded.run();
      assertThat(bounded.horizons().of(Topic.DEFAULT))
          .isBetween(START.plusSeconds(5), START.plusSeconds(6));

      var restarted = retention(test, 4 * each);
      restarted.run();
      assertThat(restarted.horizons()).isEqualTo(bounded.horizons());
    }
  }

  private static Optional<UlidRange> lacking(TestLog test, Instant from) {
    var range = new UlidRange(Ulid.firstOf(from.toEpochMilli()), Ulid.MAX);
    return test.log.lacks().in(range).map(Lack::range);
  }

  @Test
  void whatWentBeforeItsTimeIsLackingUntilItsTimeIsOverAndAfterARestart() throws IOException {
    Instant last = START.plusSeconds(5);
    try (var test = TestLog.open(folder)) {
      for (int i = 0; i < 10; i++) {
        store(test, START.plusSeconds(i), START.plusSeconds(i));
      }
      long each = test.log.infos().getFirst().fileBytes();
      retention(test, 10 * each).run();
      assertThat(lacking(test, Instant.EPOCH)).as("all is there").isEmpty();

      retention(test, 4 * each).run();
      assertThat(lacking(test, Instant.EPOCH))
          .contains(
              new UlidRange(
                  Ulid.firstOf(START.minus(DAY.multipliedBy(7)).toEpochMilli()),
                  Ulid.lastOf(last.toEpochMilli())));
      assertThat(lacking(test, last)).isPresent();
      assertThat(lacking(test, last.plusMillis(1))).isEmpty();
    }
    try (var test = TestLog.open(folder)) {
      var unbounded = retention(test, 0);
      assertThat(unbounded.purgedEarlyBefore()).contains(last.plusMillis(1));
      assertThat(lacking(test, last)).as("at once").isPresent();
      pass(DAY.multipliedBy(7).plusSeconds(5));
      unbounded.run();
      assertThat(lacking(test, last)).isPresent();
      pass(Duration.ofMinutes(1));
      unbounded.run();
      assertThat(lacking(test, Instant.EPOCH)).as("it would be gone anyway").isEmpty();
      assertThat(unbounded.purgedEarlyBefore()).isEmpty();
    }
  }

  @Test
  void aNoteThatDoesNotReadIsTakenForWhatIsNotThere() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      Files.writeString(folder.resolve("purged-early"), "garbage");
      assertThat(retention(test, 0).purgedEarlyBefore()).contains(START);
    }
  }

  @Test
  void aNoteThatCannotBeWrittenKeepsWhatWouldGo() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      store(test, START.plusSeconds(1), START.plusSeconds(1));
      Files.createDirectories(folder.resolve("purged-early.new/file"));
      var retention = retention(test, 1);
      assertThatThrownBy(retention::run).isInstanceOf(IOException.class);
      assertThat(files(".flushed")).isEqualTo(2);
    }
  }
}
