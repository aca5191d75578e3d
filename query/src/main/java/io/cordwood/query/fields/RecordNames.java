package io.cordwood.query.fields;

import java.util.List;
import java.util.stream.Stream;

/** Names by which records call their time and their message, the first that has a value counts. */
final class RecordNames {
  static final List<FieldPath> TIMES =
      paths(
          "time",
          "timestamp",
          "@timestamp",
          "ts",
          "@t",
          "t",
          "datetime",
          "date",
          "asctime",
          "__REALTIME_TIMESTAMP");

  static final List<FieldPath> MESSAGES =
      paths("message", "msg", "short_message", "MESSAGE", "@m", "@mt");

  /** In text these are mostly something else. */
  static final List<FieldPath> MESSAGES_OF_JSON = paths("event", "error", "log", "body");

  static final FieldPath REMOTE = FieldPath.of("remote");
  static final FieldPath STATUS = FieldPath.of("status");
  static final FieldPath REQUEST = FieldPath.of("request");

  private RecordNames() {}

  private static List<FieldPath> paths(String... names) {
    return Stream.of(names).map(FieldPath::of).toList();
  }
}
