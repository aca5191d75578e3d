package io.cordwood.query.match;

/** Marks kinds of bytes. One thread. */
public final class ByteMarker {
  private final ByteMarks marks;

  /** Bytes before the end of an array that are fewer than a piece. */
  private final byte[] last = new byte[ByteMarks.BYTES];

  public ByteMarker(ByteMarks marks) {
    this.marks = marks;
  }

  /**
   * Marks the bytes from an index on, up to an end or as many as it takes; false if it does not,
   * since to look at each byte by itself is faster here.
   */
  public boolean mark(byte[] bytes, int from, int to) {
    return mark(Kernels.BEST, bytes, from, to);
  }

  boolean mark(Kernel kernel, byte[] bytes, int from, int to) {
    int length = Math.min(to - from, ByteMarks.BYTES);
    boolean isWhole = from + ByteMarks.BYTES <= bytes.length;
    if (!isWhole) {
      System.arraycopy(bytes, from, last, 0, length);
    }
    boolean isMarked = isWhole ? kernel.mark(bytes, from, marks) : kernel.mark(last, 0, marks);
    if (length < ByteMarks.BYTES) {
      marks.keep((1L << length) - 1);
    }
    return isMarked;
  }
}
