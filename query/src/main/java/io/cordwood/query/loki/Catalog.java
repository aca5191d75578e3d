package io.cordwood.query.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.histogram.LabelsApi;
import io.cordwood.query.histogram.TopicsApi;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.logql.Streams;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.scan.TopicSummary;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which streams there are, and what they are called. For the query's own thread. */
record Catalog(Questions questions, UlidRange range) {
  /** The most of one answer. */
  private static final int MAX_STREAMS = 100_000;

  /** A question to a catalog. */
  @FunctionalInterface
  interface Asked<T> {
    T of(Catalog catalog) throws IOException;
  }

  /** Asks the catalog of a range, or gives another answer where no time is in it. */
  static <T> T ask(Questions questions, Optional<UlidRange> range, T none, Asked<T> asked)
      throws IOException {
    return range.isEmpty() ? none : asked.of(new Catalog(questions, range.get()));
  }

  /** The names of labels. */
  Collection<String> names() throws IOException {
    Set<String> names = new TreeSet<>(gather(Optional.empty()).keySet());
    if (!topics().isEmpty()) {
      names.add(Streams.TOPIC);
      names.add(Streams.SERVICE);
    }
    return names;
  }

  /** The values of a label. */
  Collection<String> values(String name) throws IOException {
    if (name.equals(Streams.TOPIC)) {
      return topics();
    }
    Set<String> values = new TreeSet<>(gather(Optional.of(name)).keySet());
    if (name.equals(Streams.SERVICE)) {
      values.addAll(topics());
    }
    values.remove("");
    return values;
  }

  /** The names of labels, each with the number of its values. */
  SortedMap<String, Integer> cardinalities(Optional<Selected> selected) throws IOException {
    SortedMap<String, Integer> numbers = new TreeMap<>();
    if (selected.isEmpty()) {
      for (String name : names()) {
        numbers.put(name, values(name).size());
      }
      return numbers;
    }
    Map<String, Set<String>> values = new HashMap<>();
    for (SortedMap<String, String> stream : streams(selected.get()).keySet()) {
      stream.forEach(
          (name, value) -> values.computeIfAbsent(name, _ -> new TreeSet<>()).add(value));
    }
    values.forEach((name, all) -> numbers.put(name, all.size()));
    return numbers;
  }

  private Map<String, TopicSummary> gather(Optional<String> name) throws IOException {
    return LabelsApi.gather(questions.passes(), questions.everything(range, Detail.LABELS), name);
  }

  private Collection<String> topics() throws IOException {
    Set<String> names = new TreeSet<>();
    TopicsApi.gather(questions.passes(), questions.everything(range, Detail.TOPICS))
        .forEach(topic -> names.add(topic.topic().name()));
    return names;
  }

  /** The labels of streams, each with the number of its records. */
  Map<SortedMap<String, String>, Long> streams(Selected selected) throws IOException {
    Map<SortedMap<String, String>, Long> found = new LinkedHashMap<>();
    for (Query query : questions.of(selected, range, Detail.COUNT)) {
      questions
          .passes()
          .gather(
              query,
              (hits, group) -> {
                found.merge(
                    Streams.labels(hits.topic(), group.labels()), (long) group.size(), Long::sum);
                if (found.size() > MAX_STREAMS) {
                  throw new LimitException(
                      LimitException.Limit.STREAMS,
                      "parameter match: expected at most " + MAX_STREAMS + " streams, found more");
                }
                return true;
              });
    }
    return found;
  }

  /** How much there is of streams. */
  record Size(long streams, long records, long bytes) {
    static final Size NONE = new Size(0, 0, 0);
  }

  /** How much is selected; its bytes are about those of as many records of their topics. */
  Size size(Selected selected) throws IOException {
    Map<String, TopicSummary> topics = new HashMap<>();
    TopicsApi.gather(questions.passes(), questions.everything(range, Detail.TOPICS))
        .forEach(topic -> topics.put(topic.topic().name(), topic));
    long records = 0;
    double bytes = 0;
    Map<SortedMap<String, String>, Long> streams = streams(selected);
    for (Map.Entry<SortedMap<String, String>, Long> each : streams.entrySet()) {
      records += each.getValue();
      TopicSummary topic = topics.get(each.getKey().get(Streams.TOPIC));
      bytes += topic == null ? 0 : (double) topic.bytes() / topic.records() * each.getValue();
    }
    return new Size(streams.size(), records, Math.round(bytes));
  }

  /** The name, if a label can be called so. */
  static String checkName(String name) {
    try {
      return name.equals(Streams.TOPIC) ? name : Labels.checkName(name);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, "label: " + e.getMessage());
    }
  }
}
