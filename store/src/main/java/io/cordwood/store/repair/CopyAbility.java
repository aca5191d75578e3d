package io.cordwood.store.repair;

import io.cordwood.store.segment.StoreFolder;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether this store can make copies: they stand on its own disk until they are sent. If it cannot,
 * other stores are told, and the next holder makes them. For any thread.
 */
final class CopyAbility {
  /** Copies take one such part of the free space at most: others write, too. */
  private static final int PARTS_OF_ROOM = 4;

  /** Free space below which no copies are made. */
  static final long LEAST_ROOM_BYTES = 4L << 20;

  /** For how long others make the copies after this store's disk has failed at it. */
  static final Duration REST = Duration.ofMinutes(10);

  private final StoreFolder folder;
  private final LongSupplier nanoTime;
  private volatile @Nullable Long failedNanos;

  CopyAbility(StoreFolder folder, LongSupplier nanoTime) {
    this.folder = folder;
    this.nanoTime = nanoTime;
  }

  boolean isAble() {
    Long failed = failedNanos;
    boolean rests = failed != null && nanoTime.getAsLong() - failed < REST.toNanos();
    return !rests && folder.usableBytes() >= LEAST_ROOM_BYTES;
  }

  /** How large a segment of copies may be now; less than {@link #LEAST_ROOM_BYTES} free is none. */
  long roomBytes() {
    return folder.usableBytes() / PARTS_OF_ROOM;
  }

  /** The disk failed while copies were made. */
  void failed() {
    failedNanos = nanoTime.getAsLong();
  }

  /** Copies were made. */
  void succeeded() {
    failedNanos = null;
  }
}
