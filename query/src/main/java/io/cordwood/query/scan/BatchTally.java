package io.cordwood.query.scan;

import io.cordwood.common.wire.Labels;

/** A count of a batch in place of its records. One thread. */
interface BatchTally {
  /** Begins a batch with these labels. */
  default void of(Labels labels) {}

  /** Counts a record that ends at its delimiter. */
  void add(byte[] bytes, int from, int end, byte delimiter);

  boolean hasAny();

  /** Returns the counts and forgets them. */
  byte[] take();
}
