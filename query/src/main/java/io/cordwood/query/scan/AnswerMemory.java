package io.cordwood.query.scan;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory in which a node's queries hold what they cannot give yet: the newest records until it
 * is known that they are, and the neighbours of matches. Each query may have as large a part as any
 * other. For all threads.
 */
public final class AnswerMemory {
  /** Memory for what is held in addition to its bytes. */
  private static final int ENTRY_BYTES = 160;

  private final long mostBytes;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicInteger shares = new AtomicInteger();

  /**
   * @param mostBytes in all
   */
  public AnswerMemory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** A part of the JVM's memory: a quarter is 4. */
  public static AnswerMemory partOfHeap(int divisor) {
    return new AnswerMemory(Runtime.getRuntime().maxMemory() / divisor);
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

    /** Counts what is to be held; false if it does not fit, and nothing is counted. */
    public boolean take(int heldBytesMore) {
      long bytes = (long) heldBytesMore + ENTRY_BYTES;
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

    /** It is held no more. */
    public void free(int heldBytesLess) {
      long bytes = (long) heldBytesLess + ENTRY_BYTES;
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
