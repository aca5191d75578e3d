package io.cordwood.query.scan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Memory outside the heap that Linux may take back, page by page, whenever it wants it for
 * something better: as it does with the page cache, and before it swaps or kills anything. A page
 * that was taken reads as zeros, which {@link #isWhole} tells from what was written. Safe for many
 * threads.
 */
final class ReclaimableMemory implements AutoCloseable {
  /** On no system Linux takes less than this at once. */
  static final int PAGE_BYTES = 4 << 10;

  /**
   * A body begins at a multiple of this, and has all up to the next one for itself: no page is lent
   * that somebody else writes to.
   */
  static final int ROOM_UNIT = Math.max(PAGE_BYTES, LinuxMemory.pageBytes());

  /** Written before and after each body, so that its first and last page begin with no zeros. */
  private static final long MARK = -1;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final LinuxMemory linux = new LinuxMemory();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  /**
   * @param bytes that it has room for; none is taken before something is written
   * @throws UnsupportedOperationException if this system has no such memory, or does not give it
   */
  ReclaimableMemory(long bytes) {
    this.memory = linux.map(roundUp(bytes, ROOM_UNIT), arena);
    if (!linux.lend(memory)) {
      arena.close();
      throw new UnsupportedOperationException("expected MADV_FREE to work, found that it fails");
    }
  }

  /** Bytes that a body takes. */
  static long roomFor(int length) {
    return roundUp(Long.BYTES + length + Long.BYTES, ROOM_UNIT);
  }

  /** Whether {@link #isWhole} will be able to tell: no page of it begins with eight zeros. */
  static boolean canKeep(byte[] bytes, int length) {
    MemorySegment body = MemorySegment.ofArray(bytes);
    for (long page = PAGE_BYTES; page <= length; page += PAGE_BYTES) {
      if (body.get(LONG, page - Long.BYTES) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Copies a body, the first bytes of an array, to a place that nobody else writes to. */
  void write(byte[] bytes, int length, long at) {
    memory.set(LONG, at, MARK);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at + Long.BYTES, length);
    memory.set(LONG, at + Long.BYTES + length, MARK);
    // What is written to is taken from Linux again.
    if (!linux.lend(memory.asSlice(at, roomFor(length)))) {
      throw new IllegalStateException("memory that was lent before cannot be lent again");
    }
  }

  /** The body that was written at a place; not to be used after this is closed. */
  MemorySegment at(long at, int length) {
    return memory.asSlice(at + Long.BYTES, length);
  }

  /** Whether no page of a body was taken: then what was read of it is what was written. */
  boolean isWhole(long at, int length) {
    VarHandle.loadLoadFence(); // What was read is what this asks about.
    long missing = 0;
    for (long page = at; page < at + Long.BYTES + length; page += PAGE_BYTES) {
      missing |= memory.get(LONG, page) == 0 ? 1 : 0;
    }
    return missing == 0;
  }

  private static long roundUp(long bytes, long unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  /** No thread may use the memory any more. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
