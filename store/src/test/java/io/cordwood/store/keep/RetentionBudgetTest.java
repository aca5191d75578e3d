package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Beyond the bytes that a store may have the oldest records go, and are said to be missing. */
final class RetentionBudgetTest extends RetentionFixture {
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
      assertThat(files(".trashed")).isEmpty();
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

      assertThat(files(".trashed")).isEmpty();
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
  void aNoteThatTheDiskDoesNotGiveIsTakenForWhatIsNotThere() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, START);
      store(test, START.plusSeconds(1), START.plusSeconds(1));
      retention(test, test.log.infos().getFirst().fileBytes()).run();
      assertThat(retention(test, 0).purgedEarlyBefore()).contains(START.plusMillis(1));
    }
    var disk =
        new PassThroughFilesystem() {
          @Override
          public ReadableFile open(Path file) throws IOException {
            if (file.endsWith("purged-early")) {
              throw new IOException("expected: it is not given");
            }
            return super.open(file);
          }
        };
    try (var test = new TestLog(folder, disk, 1 << 20)) {
      assertThat(retention(test, 0).purgedEarlyBefore()).contains(START.plusSeconds(1));
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
      assertThat(files(".flushed")).hasSize(2);
    }
  }
}
