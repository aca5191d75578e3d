package io.cordwood.query.scan;

/** A count of a batch in place of its records. One thread. */
sealed interface BatchTally permits PatternTally, LevelTally, FieldTally {
  /** Counts a record that ends at its delimiter. */
  void add(byte[] bytes, int from, int end, byte delimiter);

  boolean hasAny();

  /** Returns the counts and forgets them. */
  byte[] take();
}
