package io.cordwood.common.wire;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Labels that were read lately, by their bytes: most batches and blocks have those of others, which
 * are checked and taken apart once for all of them. A set of labels has a few places, by its hash;
 * where none of them is free, it replaces any. At most some 12 MiB. Safe for many threads.
 */
final class RecentLabels {
  static final int SLOTS = 4096;

  /** With one place for each, a fifth of 1,000 sets would replace each other again and again. */
  static final int PLACES = 4;

  /** Longer ones are read anew each time. */
  static final int MAX_BYTES = 512;

  /** Without barriers: the bytes of labels are final, and what is not seen yet is read anew. */
  private static final @Nullable Labels[] RECENT = new Labels[SLOTS];

  /** Two to the 32nd, divided by the golden ratio. */
  private static final int SPREAD = 0x9E3779B9;

  private static final int ROW_SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(SLOTS);

  private RecentLabels() {}

  /** Those of these bytes, if they are still here. */
  static @Nullable Labels get(byte[] bytes, int hash) {
    int first = firstPlace(hash);
    for (int place = first; place < first + PLACES; place++) {
      Labels found = RECENT[place];
      if (found != null && found.hashCode() == hash && Arrays.equals(found.bytes(), bytes)) {
        return found;
      }
    }
    return null;
  }

  static void put(Labels labels) {
    if (labels.bytes().length <= MAX_BYTES) {
      RECENT[placeFor(firstPlace(labels.hashCode()))] = labels;
    }
  }

  /** An empty one, or any. */
  private static int placeFor(int first) {
    for (int place = first; place < first + PLACES; place++) {
      if (RECENT[place] == null) {
        return place;
      }
    }
    return first + ThreadLocalRandom.current().nextInt(PLACES);
  }

  /** Hashes of texts that differ in a digit are close to each other; their places are not. */
  private static int firstPlace(int hash) {
    return ((hash * SPREAD) >>> ROW_SHIFT) & -PLACES;
  }
}
