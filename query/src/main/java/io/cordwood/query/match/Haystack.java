package io.cordwood.query.match;

import java.lang.foreign.MemorySegment;

/**
 * The payloads of a block, as they are searched: in an array, or outside the heap. All positions
 * are those of the block, wherever its bytes stand. One thread.
 */
public sealed interface Haystack permits HeapHaystack, OffHeapHaystack {
  /** Payloads in an array. */
  static Haystack of(byte[] bytes) {
    return new HeapHaystack(bytes);
  }

  /**
   * Payloads outside the heap, which may change or vanish while they are searched: then what is
   * found is meaningless, and nothing else happens.
   *
   * @param array as long at least; what code needs that knows arrays only is copied there
   */
  static Haystack of(MemorySegment memory, byte[] array) {
    return new OffHeapHaystack(memory, array);
  }

  /** The array with the bytes in {@code [from, to)}, for the moment; not to be changed. */
  byte[] array(int from, int to);

  /** Copies the bytes in {@code [from, to)} to a place in an array. */
  void copy(int from, int to, byte[] target, int at);

  /** As {@link Records#startOf}. */
  int startOf(int from, int index, byte delimiter);

  /** As {@link Records#endOf}. */
  int endOf(int index, int to, byte delimiter);

  /** As {@link Records#count}. */
  int count(int from, int to, byte delimiter);

  /** As {@link Kernel#find}. */
  int find(Kernel kernel, int from, int to, Needle needle);
}
