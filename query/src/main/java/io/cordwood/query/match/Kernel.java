package io.cordwood.query.match;

import java.lang.foreign.MemorySegment;

/**
 * The innermost loops over bytes. Two kernels exist and give the same answers: one on the Vector
 * API, if {@link VectorModule} is usable, else one in plain Java at a third of its speed. Neither
 * allocates.
 *
 * <p>Each loop is there twice, for arrays and for memory outside the heap: one loop that has seen
 * segments of both kinds takes 1.8 to 2.7 times as long, since it asks at each load which it is
 * ({@code ScanKernelBenchmark}).
 */
interface Kernel {
  /** The start of the first occurrence of the needle that lies in bytes[from, to), or -1. */
  int find(byte[] bytes, int from, int to, Needle needle);

  /** The start of the first occurrence of the needle outside the heap, or -1. */
  int find(MemorySegment memory, int from, int to, Needle needle);

  /** The first place of the value in bytes[from, to); to if it is not there. */
  int first(byte[] bytes, int from, int to, byte value);

  /** How often the value is in bytes[from, to). */
  int count(byte[] bytes, int from, int to, byte value);

  /** How often the value is in memory outside the heap. */
  int count(MemorySegment memory, int from, int to, byte value);

  /**
   * Marks as many bytes from an index on as marks take, which must be there; false if that takes
   * longer than to look at each of them by itself.
   */
  boolean mark(byte[] bytes, int from, ByteMarks marks);

  /**
   * The number of needles up to which a search for each takes less time than an automaton for all.
   */
  int mostNeedles();
}
