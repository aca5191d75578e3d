package io.cordwood.query.result;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts of what a query read and skipped. Many threads count; each number is exact when the query
 * has ended.
 */
public final class ScanStats {
  public final AtomicLong segments = new AtomicLong();
  public final AtomicLong blocks = new AtomicLong();
  public final AtomicLong blocksSkipped = new AtomicLong();
  public final AtomicLong blocksRead = new AtomicLong();
  public final AtomicLong blocksDamaged = new AtomicLong();
  public final AtomicLong bytesRead = new AtomicLong();
  public final AtomicLong bytesScanned = new AtomicLong();
  public final AtomicLong bytesInRange = new AtomicLong();

  /** Raw bytes of blocks that were skipped, read, or found damaged. */
  public final AtomicLong bytesDone = new AtomicLong();

  public final AtomicLong recordsInRange = new AtomicLong();
  public final AtomicLong matches = new AtomicLong();
  private volatile boolean matchesOnly;

  /** Adds what another node, or another tier, counted; its matches are counted where they meet. */
  public void add(Snapshot other) {
    segments.addAndGet(other.segments());
    blocks.addAndGet(other.blocks().all());
    blocksSkipped.addAndGet(other.blocks().skipped());
    blocksRead.addAndGet(other.blocks().read());
    blocksDamaged.addAndGet(other.blocks().damaged());
    bytesRead.addAndGet(other.bytesRead());
    bytesScanned.addAndGet(other.bytesScanned());
    bytesInRange.addAndGet(other.bytesInRange());
    recordsInRange.addAndGet(other.recordsInRange());
  }

  /** How far it has come, while it runs; of this node alone. */
  public SearchProgress progress() {
    // What is done is read first, so that it is never more than what there is to do.
    long doneBytes = bytesDone.get();
    long doneBlocks = blocksSkipped.get() + blocksRead.get() + blocksDamaged.get();
    return new SearchProgress(blocks.get(), doneBlocks, bytesInRange.get(), doneBytes);
  }

  /** From now on only matches are told: the others count records that nobody may know of. */
  public void tellMatchesOnly() {
    matchesOnly = true;
  }

  public Snapshot snapshot() {
    if (matchesOnly) {
      return new Snapshot(0, new Blocks(0, 0, 0, 0), 0, 0, 0, 0, matches.get());
    }
    return new Snapshot(
        segments.get(),
        new Blocks(blocks.get(), blocksSkipped.get(), blocksRead.get(), blocksDamaged.get()),
        bytesRead.get(),
        bytesScanned.get(),
        bytesInRange.get(),
        recordsInRange.get(),
        matches.get());
  }

  /**
   * Numbers of blocks.
   *
   * @param all in range and of the topics asked for
   * @param skipped of these, whose filters, or earlier searches, said that they hold no match
   */
  public record Blocks(long all, long skipped, long read, long damaged) {}

  /**
   * The numbers at one moment.
   *
   * @param bytesRead compressed, from files
   * @param bytesScanned raw
   * @param bytesInRange raw bytes of all blocks
   * @param recordsInRange records of all blocks
   */
  public record Snapshot(
      long segments,
      Blocks blocks,
      long bytesRead,
      long bytesScanned,
      long bytesInRange,
      long recordsInRange,
      long matches) {}
}
