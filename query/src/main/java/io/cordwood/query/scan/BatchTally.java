package io.cordwood.query.scan;

/** What is said of a batch in place of its records. One thread. */
sealed interface BatchTally permits PatternTally, FieldTally {
  /** Counts a record that ends at its delimiter. */
  void add(byte[] bytes, int from, int end, byte delimiter);

  boolean hasAny();

  /** What was counted, which is forgotten. */
  byte[] take();
}
