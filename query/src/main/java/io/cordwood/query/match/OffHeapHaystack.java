package io.cordwood.query.match;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Payloads outside the heap. Kernels search them there; what regular expressions look at, mostly
 * one record, is copied first.
 */
final class OffHeapHaystack implements Haystack {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment memory;
  private final byte[] array;
  private int copiedFrom;
  private int copiedTo;

  OffHeapHaystack(MemorySegment memory, byte[] array) {
    this.memory = memory;
    this.array = array;
  }

  @Override
  public byte[] array(int from, int to) {
    if (from < copiedFrom || to > copiedTo) {
      copy(from, to, array, from);
      copiedFrom = from;
      copiedTo = to;
    }
    return array;
  }

  @Override
  public void copy(int from, int to, byte[] target, int at) {
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, from, target, at, to - from);
  }

  @Override
  public int startOf(int from, int index, byte delimiter) {
    long wanted = Swar.broadcast(delimiter);
    int i = index;
    for (; i - Long.BYTES >= from; i -= Long.BYTES) {
      long zeros = Swar.exactZeroBytes(memory.get(LONG, i - Long.BYTES) ^ wanted);
      if (zeros != 0) {
        return i - (Long.numberOfLeadingZeros(zeros) >>> 3);
      }
    }
    while (i > from && memory.get(ValueLayout.JAVA_BYTE, i - 1L) != delimiter) {
      i--;
    }
    return i;
  }

  @Override
  public int endOf(int index, int to, byte delimiter) {
    long wanted = Swar.broadcast(delimiter);
    int i = index;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long zeros = Swar.zeroBytes(memory.get(LONG, i) ^ wanted);
      if (zeros != 0) {
        return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    while (i < to && memory.get(ValueLayout.JAVA_BYTE, i) != delimiter) {
      i++;
    }
    return i;
  }

  @Override
  public int count(int from, int to, byte delimiter) {
    return Kernels.BEST.count(memory, from, to, delimiter);
  }

  @Override
  public int find(Kernel kernel, int from, int to, Needle needle) {
    return kernel.find(memory, from, to, needle);
  }
}
