package io.cordwood.query.loki;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.logql.LabelNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The labels of series, of which some are held, to be used again. For the query's own thread. */
final class KnownSeries {
  private static final int MAX_KNOWN = 10_000;

  private final LabelNames names;
  private final Map<Source, SortedMap<String, String>> known = new HashMap<>();

  KnownSeries(LabelNames names) {
    this.names = names;
  }

  /** All that the labels of a series are made of. */
  private record Source(Topic topic, Labels labels, List<? extends @Nullable String> values) {}

  /**
   * As {@link LabelNames#of}; not to be changed.
   *
   * @param values of fields, of which there are few different ones
   */
  SortedMap<String, String> of(
      Topic topic, Labels labels, List<? extends @Nullable String> values) {
    if (names.areMade()) { // They may be long, and the same for many batches.
      return names.of(topic, labels, values);
    }
    if (known.size() == MAX_KNOWN) {
      known.clear();
    }
    return known.computeIfAbsent(
        new Source(topic, labels, values), _ -> names.of(topic, labels, values));
  }
}
