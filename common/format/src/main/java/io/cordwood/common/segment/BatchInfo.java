package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import java.util.Comparator;

/**
 * A batch's identity and size, without its payload. Ordered by identity, as batches are in a store
 * segment.
 *
 * @param bytes of the payload, delimiters included
 */
public record BatchInfo(Topic topic, Ulid first, int records, int bytes)
    implements BatchIdentity, Comparable<BatchInfo> {
  private static final Comparator<BatchInfo> ORDER =
      Comparator.comparing(BatchInfo::topic).thenComparing(BatchInfo::first);

  public static BatchInfo of(Batch batch) {
    return new BatchInfo(
        batch.topic(), batch.first(), batch.records(), batch.payload().remaining());
  }

  @Override
  public int compareTo(BatchInfo other) {
    return ORDER.compare(this, other);
  }
}
