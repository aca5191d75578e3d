package io.cordwood.common.run;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of memory that many hold together, and a bound for them. Who asks for more than is left
 * gets nothing, and does not keep others from getting less meanwhile. For all threads.
 */
public final class ByteBudget {
  private final long mostBytes;
  private final AtomicLong heldBytes = new AtomicLong();

  /**
   * @param mostBytes of all together
   */
  public ByteBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** A part of the JVM's memory: a quarter is 4. */
  public static ByteBudget partOfHeap(int divisor) {
    return new ByteBudget(Runtime.getRuntime().maxMemory() / divisor);
  }

  /** Counts bytes as held; false if they do not fit, and then nothing is counted. */
  public boolean take(long bytes) {
    return take(bytes, mostBytes);
  }

  /**
   * Counts bytes as held, for somebody who leaves some to others.
   *
   * @param most that all hold together afterwards
   */
  public boolean take(long bytes, long most) {
    long bound = Math.min(most, mostBytes);
    long held;
    do {
      held = heldBytes.get();
      if (held + bytes > bound) {
        return false;
      }
    } while (!heldBytes.compareAndSet(held, held + bytes));
    return true;
  }

  /** Counts bytes as held, whether they fit or not. */
  public void takeAnyway(long bytes) {
    heldBytes.addAndGet(bytes);
  }

  /** They are held no more. */
  public void release(long bytes) {
    heldBytes.addAndGet(-bytes);
  }

  public long mostBytes() {
    return mostBytes;
  }

  public long heldBytes() {
    return heldBytes.get();
  }
}
