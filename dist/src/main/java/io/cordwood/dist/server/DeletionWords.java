package io.cordwood.dist.server;

import io.cordwood.common.deletion.Tombstone;

/** A deletion in words, as people ask for it. */
final class DeletionWords {
  private DeletionWords() {}

  /** Describes it in one line. */
  static String line(Tombstone it) {
    return "topics %s, from %s to %s, %s"
        .formatted(topics(it), it.range().from().time(), it.range().to().time(), records(it));
  }

  static String topics(Tombstone it) {
    return String.join(",", it.topics().texts());
  }

  /** How many records it names; all if it names none. */
  static String records(Tombstone it) {
    return it.records().isEmpty() ? "all" : Integer.toString(it.namedRecords());
  }
}
