package io.cordwood.ingest.unconsumed;

import io.cordwood.common.run.ByteBudget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The files and the memory that all views of unconsumed segments may hold together. All threads.
 */
final class ViewRoom {
  /** Some thousands are what a process may have open. */
  private static final int MAX_OPEN = 1000;

  private static final int PART_OF_HEAP = 8;

  private final int mostFiles;
  private final AtomicInteger files = new AtomicInteger();
  private final ByteBudget memory;
  private final Counter cut;

  /**
   * @param mostFiles beyond which a segment's file is opened for each read; a few may be open in
   *     addition
   * @param memory for what is known of the segments
   */
  ViewRoom(int mostFiles, ByteBudget memory, MeterRegistry registry) {
    this.mostFiles = mostFiles;
    this.memory = memory;
    this.cut = registry.counter("cordwood_ingest_views_cut_total");
    registry.gauge("cordwood_ingest_view_files", files);
    registry.gauge("cordwood_ingest_view_bytes", memory, ByteBudget::heldBytes);
  }

  static ViewRoom ofThisProcess(MeterRegistry registry) {
    return new ViewRoom(MAX_OPEN, ByteBudget.partOfHeap(PART_OF_HEAP), registry);
  }

  boolean isForOneMoreFile() {
    return files.get() < mostFiles;
  }

  void opened() {
    files.incrementAndGet();
  }

  void closed() {
    files.decrementAndGet();
  }

  /** Counts memory; false if it does not fit, and then nothing is counted. */
  boolean take(long more) {
    return memory.take(more);
  }

  void free(long less) {
    memory.release(less);
  }

  /** Counts a view that had to leave segments out. */
  void countCut() {
    cut.increment();
  }
}
