package io.cordwood.query.scan;

import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Where;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.request.Query;
import java.util.List;

/** The parts of a query that decide whether a record matches. */
record Sought(PatternSpec pattern, Where where, boolean invert, Labels labels) {
  private static final int OBJECT_BYTES = 256;

  static Sought by(Query query) {
    return new Sought(query.pattern(), query.where(), query.invert(), query.topics().labels());
  }

  /** Its memory, roughly. */
  long bytes() {
    return OBJECT_BYTES
        + 2 * (characters(pattern.patterns()) + characters(where.texts()) + labels.bytes().length);
  }

  private static long characters(List<String> texts) {
    return texts.stream().mapToLong(String::length).sum();
  }
}
