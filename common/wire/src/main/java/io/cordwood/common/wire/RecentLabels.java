package io.cordwood.common.wire;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Labels that were read lately, by their bytes: most batches and blocks have those of others, which
 * are checked and taken apart once for all of them. What falls on the slot of another replaces it.
 * At most some 12 MiB. Safe for many threads.
 */
final class RecentLabels {
  static final int SLOTS = 4096;

  /** Longer ones are read anew each time. */
  static final int MAX_BYTES = 512;

  private static final AtomicReferenceArray<Labels> RECENT = new AtomicReferenceArray<>(SLOTS);

  private RecentLabels() {}

  /** Those of these bytes, if they are still here. */
  static @Nullable Labels get(byte[] bytes, int hash) {
    Labels found = RECENT.getAcquire(slot(hash));
    return found != null && found.hashCode() == hash && Arrays.equals(found.bytes(), bytes)
        ? found
        : null;
  }

  static void put(Labels labels) {
    if (labels.bytes().length <= MAX_BYTES) {
      RECENT.setRelease(slot(labels.hashCode()), labels);
    }
  }

  private static int slot(int hash) {
    return (hash ^ hash >>> 16) & SLOTS - 1;
  }
}
