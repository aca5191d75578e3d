package io.cordwood.query.match;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The borders of delimited records in a block. */
public final class Records {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Records() {}

  /** The start of the record that holds {@code index}, in a block whose records begin at from. */
  public static int startOf(byte[] bytes, int from, int index, byte delimiter) {
    long wanted = Swar.broadcast(delimiter);
    int i = index;
    for (; i - Long.BYTES >= from; i -= Long.BYTES) {
      long zeros = Swar.exactZeroBytes((long) LONGS.get(bytes, i - Long.BYTES) ^ wanted);
      if (zeros != 0) {
        return i - (Long.numberOfLeadingZeros(zeros) >>> 3);
      }
    }
    while (i > from && bytes[i - 1] != delimiter) {
      i--;
    }
    return i;
  }

  /** The index of the delimiter that ends the record which holds {@code index}; to if none does. */
  public static int endOf(byte[] bytes, int index, int to, byte delimiter) {
    return Kernels.BEST.first(bytes, index, to, delimiter);
  }

  /** How many records end in {@code bytes[from, to)}. */
  public static int count(byte[] bytes, int from, int to, byte delimiter) {
    return Kernels.BEST.count(bytes, from, to, delimiter);
  }
}
