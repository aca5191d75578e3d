package io.cordwood.dist;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is printed of each record: its bytes, unless a flag says more. */
class RecordForm {
  @Option(names = "--ulid", description = "Each record's ULID and a space before its lines.")
  boolean ulid;

  @Option(names = "--json", description = "An object a line: ulid, time, topic, record.")
  boolean json;

  /** The name that the API has for it; null: the records alone. */
  final @Nullable String format() {
    return json ? "json" : ulid ? "ulid" : null;
  }
}
