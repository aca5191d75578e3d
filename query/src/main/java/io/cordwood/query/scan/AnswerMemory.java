package io.cordwood.query.scan;

import io.cordwood.common.run.ByteBudget;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory in which a node's queries hold what they cannot give yet: the newest records until it
 * is known that they are, and the neighbours of matches. Each query may have as large a part as any
 * other. For all threads.
 */
public final class AnswerMemory {
  /** Memory for what is held in addition to its bytes. */
  private static final int ENTRY_BYTES = 160;

  private final ByteBudget held;
  private final AtomicInteger shares = new AtomicInteger();

  /**
   * @param held by all queries together
   */
  public AnswerMemory(ByteBudget held) {
    this.held = held;
  }

  /** Bytes that are held now. */
  public long heldBytes() {
    return held.heldBytes();
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
      boolean taken = own + bytes <= held.mostBytes() / shares.get() && held.take(bytes);
      if (taken) {
        own += bytes;
      }
      return taken;
    }

    /** It is held no more. */
    public void free(int heldBytesLess) {
      long bytes = (long) heldBytesLess + ENTRY_BYTES;
      own -= bytes;
      held.release(bytes);
    }

    @Override
    public void close() {
      held.release(own);
      own = 0;
      shares.decrementAndGet();
    }
  }
}
