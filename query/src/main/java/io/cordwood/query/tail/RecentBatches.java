package io.cordwood.query.tail;

import io.cordwood.query.result.BatchId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The last {@link #MIN_KNOWN} batches at least that a stream has given, so that copies of them are
 * not. Holds some 16 bytes of each, and grows as they come. One thread.
 *
 * <p>A batch is known by 64 bits, mixed with a number that nobody outside knows: that another one
 * has the same is as good as impossible.
 */
final class RecentBatches {
  static final int MIN_KNOWN = 4096;

  private static final int FIRST_SLOTS = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final long secret = ThreadLocalRandom.current().nextLong() | 1;
  private long[] newer = new long[FIRST_SLOTS];
  private long[] older = new long[FIRST_SLOTS];
  private int known;

  /** Whether it is one of them. */
  boolean contains(BatchId id) {
    return contains(key(id));
  }

  /** Whether it is not one of them; from now on it is. */
  boolean add(BatchId id) {
    long key = key(id);
    if (contains(key)) {
      return false;
    }
    if (known == MIN_KNOWN) {
      older = newer;
      newer = new long[FIRST_SLOTS];
      known = 0;
    } else if (2 * (known + 1) > newer.length) {
      grow();
    }
    newer[slot(newer, key)] = key;
    known++;
    return true;
  }

  private void grow() {
    long[] grown = new long[2 * newer.length];
    Arrays.stream(newer).filter(key -> key != 0).forEach(key -> grown[slot(grown, key)] = key);
    newer = grown;
  }

  private boolean contains(long key) {
    return contains(older, key) || contains(newer, key);
  }

  private static boolean contains(long[] slots, long key) {
    return slots[slot(slots, key)] == key;
  }

  /** The slot of a key, taken or to be taken: at most half of the slots are taken. */
  private static int slot(long[] slots, long key) {
    int at = (int) key & (slots.length - 1);
    while (slots[at] != 0 && slots[at] != key) {
      at = (at + 1) & (slots.length - 1);
    }
    return at;
  }

  private long key(BatchId id) {
    long key = mix(id.first().high() + secret);
    key = mix(key ^ id.first().low());
    key = mix(key, id.topic().name().getBytes(StandardCharsets.US_ASCII));
    key = mix(key, id.labels().bytes());
    return key == 0 ? 1 : key;
  }

  /** All of the bytes, and how many: that two texts have the same hash code is easily arranged. */
  private long mix(long start, byte[] bytes) {
    long key = mix(start ^ bytes.length);
    int at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      key = mix(key ^ (long) LONGS.get(bytes, at));
    }
    for (; at < bytes.length; at++) {
      key = mix(key ^ bytes[at]);
    }
    return key;
  }

  private long mix(long value) {
    long mixed = (value ^ value >>> 32) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 29) * secret;
    return mixed ^ mixed >>> 32;
  }
}
