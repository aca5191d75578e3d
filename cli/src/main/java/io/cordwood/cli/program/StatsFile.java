package io.cordwood.cli.program;

import io.cordwood.common.file.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the figures of a running command to the file of {@code --stats-file}, each second; the
 * file is whole at any moment.
 */
public final class StatsFile implements AutoCloseable {
  private final @Nullable Path file;
  private final Supplier<String> figures;
  private final Consumer<String> says;
  private final CountDownLatch end = new CountDownLatch(1);
  private boolean hasFailed;

  private StatsFile(@Nullable Path file, Supplier<String> figures, Consumer<String> says) {
    this.file = file;
    this.figures = figures;
    this.says = says;
  }

  /**
   * Writes the first figures, and begins; without a file it does nothing.
   *
   * @param figures asked for by one thread at a time
   * @param says hears why they cannot be written, once until they can
   */
  public static StatsFile start(
      @Nullable Path file, Supplier<String> figures, Consumer<String> says) {
    var stats = new StatsFile(file, figures, says);
    stats.write();
    if (file != null) {
      Thread.ofPlatform().daemon().name("stats").start(stats::run);
    }
    return stats;
  }

  private void run() {
    try {
      while (!end.await(1, TimeUnit.SECONDS)) {
        write();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void write() {
    if (file == null) {
      return;
    }
    try {
      WholeFile.write(file, figures.get());
      hasFailed = false;
    } catch (IOException e) {
      if (!hasFailed) {
        says.accept("--stats-file: " + Failures.explain(e));
      }
      hasFailed = true;
    }
  }

  /** Writes the last figures. */
  @Override
  public void close() {
    end.countDown();
    write();
  }
}
