package io.cordwood.forwarder;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A topic that a node refuses to take, or some of it.
 *
 * @param labels of those batches of the topic that are refused; null for all of them
 */
record RefusedOrigin(String topic, @Nullable Labels labels) {
  static RefusedOrigin ofTopic(String topic) {
    return new RefusedOrigin(topic, null);
  }

  static RefusedOrigin of(Origin origin) {
    return new RefusedOrigin(origin.topic(), origin.labels());
  }

  boolean contains(Origin origin) {
    return equals(ofTopic(origin.topic())) || equals(of(origin));
  }

  /** Whether any of them contains an origin. */
  static boolean isIn(Set<RefusedOrigin> refused, Origin origin) {
    return refused.contains(ofTopic(origin.topic())) || refused.contains(of(origin));
  }

  /** As it follows the words "the topic". */
  @Override
  public String toString() {
    return labels == null ? topic : topic + " with the labels " + labels;
  }
}
