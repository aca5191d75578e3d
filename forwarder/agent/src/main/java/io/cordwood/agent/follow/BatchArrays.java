package io.cordwood.agent.follow;

import io.cordwood.forwarder.PreparedBatch;
import java.util.ArrayDeque;

/**
 * The arrays that batches are read into; those of the usual size are used again. Also what lines of
 * containers are cut with. For all files of a follower, since what is kept for each is kept many
 * times.
 */
final class BatchArrays {
  /** The bytes of a file in one batch. */
  static final int BATCH_BYTES = 512 << 10;

  /** The bytes for a longer record: the longest allowed, and one byte that shows it goes on. */
  static final int LONGEST_BYTES = PreparedBatch.MAX_RECORD_BYTES + 1;

  private static final int USUAL_BYTES = PreparedBatch.MOST_BEFORE_RECORDS + BATCH_BYTES + 1;
  private static final int MOST_KEPT = 32;

  /** Much smaller ones are for the trickle of many files. */
  private static final int SMALL_BYTES = 4096;

  private final ArrayDeque<byte[]> kept = new ArrayDeque<>();

  /** The pieces of the bytes that were cut last. */
  final Pieces pieces = new Pieces();

  final ContainerCutter cutter = new ContainerCutter(LONGEST_BYTES);

  /** An array for what is before records, a number of bytes, and one more. */
  byte[] take(int before, int bytes) {
    int room = before + bytes + 1;
    if (bytes > BATCH_BYTES || bytes <= BATCH_BYTES / 4) {
      return new byte[Math.max(room, SMALL_BYTES)];
    }
    byte[] array = kept.poll();
    return array == null ? new byte[USUAL_BYTES] : array;
  }

  /** Keeps none of them any more. */
  void forget() {
    kept.clear();
  }

  void giveBack(byte[] array) {
    if (array.length == USUAL_BYTES && kept.size() < MOST_KEPT) {
      kept.push(array);
    }
  }
}
