package io.cordwood.ingest.fluent;

import io.cordwood.common.run.LastUsed;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages that this node has acknowledged lately, and those that it is storing: what a client
 * sends again, since the acknowledgement was lost or late, is acknowledged again and not stored
 * again. Safe for all threads.
 */
final class AckedChunks {
  /** As many are known. */
  static final int MAX_KNOWN = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<ByteBuffer> storing = new HashSet<>();
  private final Map<ByteBuffer, Boolean> acknowledged = new LastUsed<>(MAX_KNOWN);

  /**
   * Begins to store a message, after others that do the same have ended.
   *
   * @param hash of all its bytes
   * @return false if it is stored already
   * @throws RefusedException if another connection takes too long with it
   */
  boolean begin(ByteBuffer hash, Duration longest) throws RefusedException {
    lock.lock();
    try {
      long left = longest.toNanos();
      while (storing.contains(hash)) {
        if (left <= 0) {
          throw new RefusedException(
              RejectReason.DISK,
              "the same chunk came before, and is not on the disk for %d s; try again later"
                  .formatted(longest.toSeconds()));
        }
        left = changed.awaitNanos(left);
      }
      return !acknowledged.containsKey(hash) && storing.add(hash);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RefusedException(RejectReason.CLOSED, "the node is being closed");
    } finally {
      lock.unlock();
    }
  }

  /** Whether some connection stores a message now. */
  boolean isStoring(ByteBuffer hash) {
    lock.lock();
    try {
      return storing.contains(hash);
    } finally {
      lock.unlock();
    }
  }

  /** A message that was begun is stored, or is not. */
  void end(ByteBuffer hash, boolean isStored) {
    lock.lock();
    try {
      storing.remove(hash);
      if (isStored) {
        acknowledged.put(hash, true);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
