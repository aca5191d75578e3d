package io.cordwood.query;

import io.cordwood.common.http.ClientGoneException;
import io.cordwood.common.http.HttpError;
import io.cordwood.query.ScanStats.Snapshot;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets a bounded number of queries run at once, and counts what they did. For all threads. */
final class QueryGate {
  private static final int MAX_CONCURRENT = 64;

  private final Semaphore slots = new Semaphore(MAX_CONCURRENT);
  private final Counter refused;
  private final Counter abandoned;
  private final Counter bytesScanned;
  private final Counter bytesRead;
  private final Counter blocksSkipped;
  private final Counter blocksDamaged;
  private final Timer duration;

  QueryGate(MeterRegistry meters) {
    this.refused = meters.counter("cordwood.query.refused");
    this.abandoned = meters.counter("cordwood.query.abandoned");
    this.bytesScanned = meters.counter("cordwood.query.scanned.bytes");
    this.bytesRead = meters.counter("cordwood.query.read.bytes");
    this.blocksSkipped = meters.counter("cordwood.query.blocks.skipped");
    this.blocksDamaged = meters.counter("cordwood.query.blocks.damaged");
    this.duration = meters.timer("cordwood.query.duration");
    meters.gauge("cordwood.query.running", slots, s -> MAX_CONCURRENT - s.availablePermits());
  }

  /** What answers a query. */
  @FunctionalInterface
  interface Task {
    void run() throws IOException;
  }

  /**
   * Runs a query, or refuses it if too many run.
   *
   * @param stats that the query counts in
   * @throws HttpError 503 if it is refused
   */
  void run(ScanStats stats, Task task) throws IOException {
    if (!slots.tryAcquire()) {
      refused.increment();
      throw new HttpError(
          503, "%d queries are running, which is the limit; try again".formatted(MAX_CONCURRENT));
    }
    long start = System.nanoTime();
    try {
      task.run();
    } catch (QueryAbandonedException e) {
      abandoned.increment();
    } catch (ClientGoneException e) {
      abandoned.increment();
      throw e;
    } finally {
      slots.release();
      duration.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
      count(stats.snapshot());
    }
  }

  private void count(Snapshot stats) {
    bytesScanned.increment(stats.bytesScanned());
    bytesRead.increment(stats.bytesRead());
    blocksSkipped.increment(stats.blocksSkipped());
    blocksDamaged.increment(stats.blocksDamaged());
  }
}
