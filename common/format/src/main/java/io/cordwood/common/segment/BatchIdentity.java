package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import java.util.Comparator;

/**
 * Which batch it is: what has the same topic, the same first ULID and the same labels is the same
 * batch.
 */
public interface BatchIdentity {
  /** The order of batches in a store segment. */
  Comparator<BatchIdentity> ORDER =
      Comparator.comparing(BatchIdentity::topic)
          .thenComparing(BatchIdentity::first)
          .thenComparing(BatchIdentity::labelsIdentity, Long::compareUnsigned);

  Topic topic();

  Ulid first();

  /** {@link Labels#identity()} of its labels; 0 if it has none. */
  long labelsIdentity();

  int records();

  default boolean isSameAs(BatchIdentity other) {
    return first().equals(other.first())
        && labelsIdentity() == other.labelsIdentity()
        && topic().equals(other.topic());
  }
}
