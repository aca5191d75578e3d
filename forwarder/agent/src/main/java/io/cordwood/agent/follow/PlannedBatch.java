package io.cordwood.agent.follow;

import io.cordwood.common.wire.Labels;

/**
 * A batch as it stands in the checkpoint before it is sent: enough to make the same one again, from
 * the same bytes, with the same ULIDs.
 *
 * @param from where its bytes begin in the file; the one before it ended there
 * @param to where they end, which is where a record ends
 * @param stamp of its first record
 * @param crc of all its bytes in the file
 * @param tail as {@link Content#tail} has it of {@code to}
 * @param labels of the file when it was planned
 */
record PlannedBatch(
    long from, long to, RecordStamp stamp, int records, int crc, int tail, Labels labels) {

  /** Plans the same bytes, with their stamp and records. */
  PlannedBatch of(RecordStamp first, int count) {
    return new PlannedBatch(from, to, first, count, crc, tail, labels);
  }

  int length() {
    return (int) (to - from);
  }
}
