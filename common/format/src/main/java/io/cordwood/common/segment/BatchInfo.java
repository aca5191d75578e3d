package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;

/**
 * A batch's identity and size, without its payload. Ordered by identity, as batches are in a store
 * segment.
 *
 * @param bytes of the payload, delimiters included
 */
public record BatchInfo(Topic topic, Ulid first, long labelsIdentity, int records, int bytes)
    implements BatchIdentity, Comparable<BatchInfo> {
  /** One without labels. */
  public BatchInfo(Topic topic, Ulid first, int records, int bytes) {
    this(topic, first, 0, records, bytes);
  }

  public static BatchInfo of(Batch batch) {
    return new BatchInfo(
        batch.topic(),
        batch.first(),
        batch.labelsIdentity(),
        batch.records(),
        batch.payload().remaining());
  }

  @Override
  public int compareTo(BatchInfo other) {
    return ORDER.compare(this, other);
  }
}
