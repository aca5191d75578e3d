package io.cordwood.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StatsFileTest {
  @TempDir Path folder;

  private final AtomicLong figure = new AtomicLong();
  private final List<String> said = new CopyOnWriteArrayList<>();

  @Test
  void theFirstFiguresAreThereAtOnceAndTheLastOnesAtTheEnd() throws IOException {
    Path file = folder.resolve("stats");
    try (var _ = StatsFile.start(file, () -> "n" + figure.get(), said::add)) {
      assertThat(file).content().startsWith("n");
      figure.set(7);
    }
    assertThat(Files.readString(file)).isEqualTo("n7");
    assertThat(said).isEmpty();
  }

  @Test
  void whatCannotBeWrittenIsSaidOnce() {
    try (var _ = StatsFile.start(folder.resolve("none/stats"), () -> "1", said::add)) {
      assertThat(said).singleElement().asString().startsWith("--stats-file: ");
    }
    assertThat(said).hasSize(1);
  }

  @Test
  void withoutAFileNothingIsWritten() {
    try (var _ = StatsFile.start(null, () -> "1", said::add)) {
      assertThat(folder).isEmptyDirectory();
    }
  }
}
