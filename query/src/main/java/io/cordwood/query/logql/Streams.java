package io.cordwood.query.logql;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The labels of streams: those of batches, and their topic. */
public final class Streams {
  /** The topic, as a label. */
  public static final String TOPIC = "topic";

  /** By this label some programs ask for streams; the topic where batches have none. */
  public static final String SERVICE = "service_name";

  /** The level of a record, which stands beside it. */
  public static final String LEVEL = "detected_level";

  private Streams() {}

  /** The labels of the stream of batches. */
  public static SortedMap<String, String> labels(Topic topic, Labels labels) {
    SortedMap<String, String> all = new TreeMap<>(Map.of(SERVICE, topic.name()));
    all.putAll(labels.pairs());
    all.put(TOPIC, topic.name());
    return all;
  }
}
