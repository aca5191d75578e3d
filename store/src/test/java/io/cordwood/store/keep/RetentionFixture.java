package io.cordwood.store.keep;

import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a store that keeps records, and clocks that tests set. */
abstract class RetentionFixture {
  static final Duration DAY = Duration.ofDays(1);
  static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  @TempDir Path folder;
  Instant wall = START;
  long nanos;

  void pass(Duration time) {
    wall = wall.plus(time);
    nanos += time.toNanos();
  }

  /** A week for all topics, and a day in the trash. */
  Retention retention(TestLog test, long maxBytes) throws IOException {
    return test.retention(
        new StoreOptions.Keeping(DAY.multipliedBy(7), DAY, maxBytes), () -> wall, () -> nanos);
  }

  static void store(TestLog test, Instant records, Instant written) throws IOException {
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

  List<Path> files(String ending) throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.filter(p -> p.toString().endsWith(ending)).toList();
    }
  }
}
