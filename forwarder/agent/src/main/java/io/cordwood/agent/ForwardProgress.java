package io.cordwood.agent;

import io.cordwood.cli.program.StatsFile;
import io.cordwood.cli.terminal.StandardOutput;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shows each second how it goes: on a terminal in one line of standard error, which the next one
 * takes the place of, and for machines in a file.
 */
final class ForwardProgress implements AutoCloseable {
  private final ForwardFigures figures;
  private final StatsFile statsFile;
  private final boolean isShown;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "progress");
  private long lastRecords;
  private long lastNanos = System.nanoTime();

  private ForwardProgress(ForwardFigures figures, @Nullable Path statsFile, boolean isShown) {
    this.figures = figures;
    this.statsFile = StatsFile.start(statsFile, figures::json, ForwardLog::say);
    this.isShown = isShown;
  }

  static ForwardProgress start(ForwardFigures figures, @Nullable Path statsFile, boolean quiet) {
    var progress =
        new ForwardProgress(figures, statsFile, !quiet && StandardOutput.isErrorTerminal());
    if (progress.isShown) {
      progress.thread.setDaemon(true);
      progress.thread.start();
    }
    return progress;
  }

  private void run() {
    try {
      while (!end.await(1, TimeUnit.SECONDS)) {
        show();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void show() {
    long records = figures.records();
    long now = System.nanoTime();
    double rate = (records - lastRecords) * 1e9 / (now - lastNanos);
    lastRecords = records;
    lastNanos = now;
    System.err.print("\r\033[K" + figures.line(rate));
    System.err.flush();
  }

  /** Writes the last figures, and leaves the line to others. For all threads, more than once. */
  @Override
  public synchronized void close() {
    end.countDown();
    statsFile.close();
    if (!isShown) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.err.print("\r\033[K");
    System.err.flush();
  }
}
