package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What is old is trashed and then purged; what is young never is, whatever a clock says. */
final class RetentionTest extends RetentionFixture {
  @Test
  void aSegmentIsTrashedAfterTheRetentionAndPurgedAfterTheGrace() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      var retention = retention(test, 0);
      pass(DAY.multipliedBy(7));
      retention.run();
      assertThat(files(".flushed")).hasSize(1);

      pass(Duration.ofMinutes(1));
      retention.run();
      assertThat(files(".flushed")).isEmpty();
      assertThat(files(".trashed")).hasSize(1);

      pass(DAY);
      retention.run();
      assertThat(files(".trashed")).hasSize(1);

      pass(Duration.ofMinutes(1));
      retention.run();
      assertThat(files(".trashed")).isEmpty();
    }
  }

  @Test
  void aSegmentWhoseRecordsAloneAreOldIsKept() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START.minus(DAY.multipliedBy(300)), START);
      var retention = retention(test, 0);
      pass(DAY);
      retention.run();

      assertThat(files(".flushed")).hasSize(1);
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

      assertThat(files(".flushed")).hasSize(2);
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
      assertThat(files(".trashed")).hasSize(1);
      assertThat(test.log.live()).singleElement().matches(left -> left.file().equals(merged));

      disk.blocked = _ -> false;
      test.log.finishSwaps();
      Files.setLastModifiedTime(merged, FileTime.from(START));
      retention.run();
      assertThat(files(".trashed")).hasSize(2);
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

      assertThat(files(".flushed")).hasSize(1);
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

      assertThat(files(".flushed")).hasSize(1);
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

      assertThat(files(".flushed")).hasSize(2);
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
      assertThat(files(".flushed")).hasSize(1);

      pass(Duration.ofHours(12));
      retention.run();
      assertThat(files(".flushed")).isEmpty();
      assertThat(files(".trashed")).hasSize(1);
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
      assertThat(files(".flushed")).hasSize(1);

      pass(DAY);
      retention.run();
      assertThat(files(".flushed")).isEmpty();
    }
  }

  @Test
  void aClockThatJumpsBackTrashesNothing() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      var retention = retention(test, 0);
      wall = START.minus(DAY.multipliedBy(30));
      retention.run();

      assertThat(files(".flushed")).hasSize(1);
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

      assertThat(files(".flushed")).isEmpty();
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

        assertThat(files(".flushed")).isEmpty();
        assertThat(files(".trashed")).isEmpty();
        assertThat(Stored.merged(view.segments())).hasSize(1);
      }
    }
  }
}
