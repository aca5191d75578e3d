package io.cordwood.query.match;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The kernel in plain Java: eight positions at once in a long, sixteen a branch. */
final class SwarKernel implements Kernel {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int STEP = 2 * Long.BYTES;

  @Override
  public int find(byte[] bytes, int from, int to, Needle needle) {
    return needle.folded()
        ? findFolded(bytes, from, to, needle)
        : findExact(bytes, from, to, needle);
  }

  private static int findExact(byte[] bytes, int from, int to, Needle needle) {
    long first = Swar.broadcast(needle.first());
    long second = Swar.broadcast(needle.second());
    int a = needle.firstOffset();
    int b = needle.secondOffset();
    int end = to - needle.length() + 1;
    int i = from;
    for (; i <= end - STEP; i += STEP) {
      long low = Swar.zeroBytes((load(bytes, i + a) ^ first) | (load(bytes, i + b) ^ second));
      int j = i + Long.BYTES;
      long high = Swar.zeroBytes((load(bytes, j + a) ^ first) | (load(bytes, j + b) ^ second));
      if ((low | high) != 0) {
        int found = firstAt(bytes, i, low, high, needle);
        if (found >= 0) {
          return found;
        }
      }
    }
    return needle.firstBetween(bytes, i, end);
  }

  private static int findFolded(byte[] bytes, int from, int to, Needle needle) {
    long first = Swar.broadcast(needle.first());
    long second = Swar.broadcast(needle.second());
    long foldA = Swar.broadcast(needle.firstFold());
    long foldB = Swar.broadcast(needle.secondFold());
    int a = needle.firstOffset();
    int b = needle.secondOffset();
    int end = to - needle.length() + 1;
    int i = from;
    for (; i <= end - STEP; i += STEP) {
      long x = ((load(bytes, i + a) | foldA) ^ first) | ((load(bytes, i + b) | foldB) ^ second);
      int j = i + Long.BYTES;
      long y = ((load(bytes, j + a) | foldA) ^ first) | ((load(bytes, j + b) | foldB) ^ second);
      long low = Swar.zeroBytes(x);
      long high = Swar.zeroBytes(y);
      if ((low | high) != 0) {
        int found = firstAt(bytes, i, low, high, needle);
        if (found >= 0) {
          return found;
        }
      }
    }
    return needle.firstBetween(bytes, i, end);
  }

  @Override
  public int find(MemorySegment memory, int from, int to, Needle needle) {
    long first = Swar.broadcast(needle.first());
    long second = Swar.broadcast(needle.second());
    long foldA = Swar.broadcast(needle.firstFold());
    long foldB = Swar.broadcast(needle.secondFold());
    int a = needle.firstOffset();
    int b = needle.secondOffset();
    int end = to - needle.length() + 1;
    int i = from;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      long x = ((load(memory, i + a) | foldA) ^ first) | ((load(memory, i + b) | foldB) ^ second);
      for (long left = Swar.zeroBytes(x); left != 0; left &= left - 1) {
        int candidate = i + (Long.numberOfTrailingZeros(left) >>> 3);
        if (needle.isAt(memory, candidate)) {
          return candidate;
        }
      }
    }
    return needle.firstBetween(memory, i, end);
  }

  private static int firstAt(byte[] bytes, int at, long low, long high, Needle needle) {
    int found = firstIn(bytes, at, low, needle);
    return found < 0 ? firstIn(bytes, at + Long.BYTES, high, needle) : found;
  }

  private static int firstIn(byte[] bytes, int at, long marks, Needle needle) {
    for (long left = marks; left != 0; left &= left - 1) {
      int candidate = at + (Long.numberOfTrailingZeros(left) >>> 3);
      if (needle.isAt(bytes, candidate)) {
        return candidate;
      }
    }
    return -1;
  }

  private static long load(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  private static long load(MemorySegment memory, int at) {
    return memory.get(LONG, at);
  }

  @Override
  public int first(byte[] bytes, int from, int to, byte value) {
    long wanted = Swar.broadcast(value);
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long zeros = Swar.zeroBytes(load(bytes, i) ^ wanted);
      if (zeros != 0) {
        return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    while (i < to && bytes[i] != value) {
      i++;
    }
    return i;
  }

  @Override
  public int count(byte[] bytes, int from, int to, byte value) {
    long wanted = Swar.broadcast(value);
    int count = 0;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      count += Long.bitCount(Swar.exactZeroBytes(load(bytes, i) ^ wanted));
    }
    for (; i < to; i++) {
      count += bytes[i] == value ? 1 : 0;
    }
    return count;
  }

  @Override
  public int count(MemorySegment memory, int from, int to, byte value) {
    long wanted = Swar.broadcast(value);
    int count = 0;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      count += Long.bitCount(Swar.exactZeroBytes(load(memory, i) ^ wanted));
    }
    for (; i < to; i++) {
      count += memory.get(ValueLayout.JAVA_BYTE, i) == value ? 1 : 0;
    }
    return count;
  }

  @Override
  public boolean mark(byte[] bytes, int from, ByteMarks marks) {
    return false;
  }

  @Override
  public int mostNeedles() {
    return 8;
  }
}
