package io.cordwood.cli.records;

import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldFinder;
import io.cordwood.query.fields.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of a record by name: its fields, and what a node knows of it. One thread. */
final class RecordValues {
  /** By this name a record's own time is meant, if it has one. */
  private static final String TIME = "time";

  private final Extract extract;
  private final FieldFinder finder;
  private final Map<String, FieldPath> paths = new HashMap<>();
  private Map<String, String> known = Map.of();

  RecordValues(Extract extract) {
    this.extract = extract;
    this.finder = new FieldFinder(extract);
  }

  /** Checks a name; one that is none is an {@link IllegalArgumentException}. */
  void check(String name) {
    paths.put(name, extract.path(name));
  }

  /** Takes the values that a node knows of the next records, besides their bytes. */
  void know(Map<String, String> values) {
    known = values;
  }

  /** The records that follow are of batches with these labels. */
  void of(Labels labels) {
    finder.of(labels);
  }

  /** Turns to a record, without its delimiter. */
  void in(byte[] bytes, int from, int to) {
    finder.in(bytes, from, to);
  }

  /** The value of a name; null if there is none. */
  @Nullable String of(String name) {
    String ofNode = known.get(name);
    if (ofNode != null && !name.equals(TIME)) {
      return ofNode;
    }
    return finder.find(paths.computeIfAbsent(name, extract::path))
        ? new String(finder.value(), StandardCharsets.UTF_8)
        : ofNode;
  }
}
