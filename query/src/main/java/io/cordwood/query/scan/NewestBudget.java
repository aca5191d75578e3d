package io.cordwood.query.scan;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory in which a node's queries for the newest records hold what they found until they know
 * that it is the newest. Each may have as large a part as any other. For all threads.
 */
public final class NewestBudget {
  /** The divisor of the JVM's memory that gives the budget. */
  private static final int PART_OF_HEAP = 4;

  /** Memory for a batch in addition to its records. */
  private static final int ENTRY_BYTES = 160;

  private final long mostBytes;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicInteger shares = new AtomicInteger();

  /** * @param mostBytes in all */
  public NewestBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  static NewestBudget ofHeap() {
    return new NewestBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /** Bytes that are held now. */
  public long heldBytes() {
    return heldBytes.get();
  }

  /** Begins a query's part. */
  public Share open() {
    shares.incrementAndGet();
    return new Share();
  }

  /** The share of one query; for one thread. Close it after use. */
  public final class Share implements AutoCloseable {
    private long own;

    private Share() {}

    /** Counts a batch's records; false if they do not fit, and nothing is counted. */
    public boolean take(int recordBytes) {
      long bytes = (long) recordBytes + ENTRY_BYTES;
      if (own + bytes > mostBytes / shares.get()) {
        return false;
      }
      if (heldBytes.addAndGet(bytes) > mostBytes) {
        heldBytes.addAndGet(-bytes);
        return false;
      }
      own += bytes;
      return true;
    }

    /** They are held no more. */
    public void free(int recordBytes) {
      long bytes = (long) recordBytes + ENTRY_BYTES;
      own -= bytes;
      heldBytes.addAndGet(-bytes);
    }

    @Override
    public void close() {
      heldBytes.addAndGet(-own);
      own = 0;
      shares.decrementAndGet();
    }
  }
}
