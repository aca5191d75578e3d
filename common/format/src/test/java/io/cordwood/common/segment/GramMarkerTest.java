package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class GramMarkerTest {
  private static final int LONGEST = 3 * 2048 + 100;
  private final Random random = new Random(7);
  private final GramMarker marker = new GramMarker();

  @Test
  void theSameKeysAsPositionByPosition() {
    for (int round = 0; round < 300; round++) {
      byte[] bytes = randomBytes(1 + random.nextInt(256));
      int from = random.nextInt(20);
      int to = bytes.length - random.nextInt(20);
      assertThat(marked(bytes, from, to)).isEqualTo(expected(bytes, from, to));
    }
  }

  @Test
  void everyLengthAroundTheEndOfAStretch() {
    byte[] bytes = randomBytes(256);
    for (int length = 0; length < 30; length++) {
      assertThat(marked(bytes, 3, 3 + length)).isEqualTo(expected(bytes, 3, 3 + length));
    }
    for (int length = 2030; length < 2070; length++) {
      assertThat(marked(bytes, 3, 3 + length)).isEqualTo(expected(bytes, 3, 3 + length));
    }
  }

  /** Bytes of an alphabet that begins low, so that some have no key, or with letters. */
  private byte[] randomBytes(int values) {
    byte[] bytes = new byte[40 + random.nextInt(LONGEST - 40)];
    int lowest = random.nextBoolean() ? 0 : 'A' - 1;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (lowest + random.nextInt(values));
    }
    return bytes.length < 2100 ? Arrays.copyOf(bytes, 2100) : bytes;
  }

  private BitSet marked(byte[] bytes, int from, int to) {
    long[] bitmap = new long[GramMarker.BITMAP_WORDS];
    marker.mark(bytes, from, to, bitmap);
    return BitSet.valueOf(Arrays.copyOf(bitmap, bitmap.length - 1));
  }

  private static BitSet expected(byte[] bytes, int from, int to) {
    var keys = new BitSet();
    for (int at = from; at + Gram.BYTES <= to; at++) {
      if (isKeyed(bytes, at)) {
        keys.set(Gram.key(bytes, at));
      }
    }
    return keys;
  }

  private static boolean isKeyed(byte[] bytes, int at) {
    for (int i = 0; i < Gram.BYTES; i++) {
      if ((bytes[at + i] & 0xFF) < 0x0B) {
        return false;
      }
    }
    return true;
  }
}
