package io.cordwood.cli.watch;

import io.cordwood.cli.alert.WatchCounters;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.file.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Writes the figures of a watch to a file, each second; the file is whole at any moment. */
final class StatsFile implements AutoCloseable {
  private final Path file;
  private final WatchCounters counters;
  private final CountDownLatch end = new CountDownLatch(1);
  private boolean hasFailed;

  private StatsFile(Path file, WatchCounters counters) {
    this.file = file;
    this.counters = counters;
  }

  /** Begins; without a file it does nothing. */
  static AutoCloseable start(Optional<Path> file, WatchCounters counters) {
    if (file.isEmpty()) {
      return () -> {};
    }
    var stats = new StatsFile(file.get(), counters);
    Thread.ofPlatform().daemon().name("stats").start(stats::run);
    return stats;
  }

  private void run() {
    try {
      do {
        write();
      } while (!end.await(1, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void write() {
    try {
      WholeFile.write(file, counters.json());
      hasFailed = false;
    } catch (IOException e) {
      if (!hasFailed) {
        System.err.println("cordwood watch: --stats-file: " + Programs.explain(e));
      }
      hasFailed = true;
    }
  }

  @Override
  public void close() {
    end.countDown();
    write();
  }
}
