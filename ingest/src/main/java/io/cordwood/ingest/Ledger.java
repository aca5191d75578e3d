package io.cordwood.ingest;

import io.cordwood.common.segment.Topic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Accounts for every record and every byte. Exact once all connections are at rest:
 *
 * <pre>
 *   read from all sockets           = received of all topics          in bytes
 *   received of a topic             = stored + rejected of it         in records and in bytes
 * </pre>
 *
 * Bytes count as read when they come, and as received when it is known whose they are: lines when
 * they are whole, batches when they were found good. What never gets so far is received and
 * rejected in the account of {@link #NO_TOPIC}: batches that are cut off or corrupt, since their
 * word for their topic is not to be trusted.
 *
 * <p>Accounts stay until the process ends, so their number is bounded: a topic beyond is refused,
 * never one that is known. For all threads.
 */
public final class Ledger {
  /** The label of what has no topic; not the name of one. */
  public static final String NO_TOPIC = "(none)";

  private final MeterRegistry registry;
  private final Topic usual;
  private final int maxTopics;
  private final Counter bytesRead;
  private final TopicCounters withoutTopic;
  private final Map<Topic, TopicCounters> counters = new ConcurrentHashMap<>();

  /**
   * @param usual the topic of what names none; always taken
   * @param maxTopics that are taken besides it until the process ends
   */
  Ledger(MeterRegistry registry, Topic usual, int maxTopics) {
    this.registry = registry;
    this.usual = usual;
    this.maxTopics = maxTopics;
    this.bytesRead = registry.counter(TopicCounters.PREFIX + "bytes_read_total");
    this.withoutTopic = new TopicCounters(registry, NO_TOPIC);
    for (RejectReason reason : RejectReason.values()) {
      withoutTopic.show(reason);
    }
    counters.put(usual, account(usual));
    registry.gaugeMapSize(TopicCounters.PREFIX + "topics", Tags.empty(), counters);
  }

  /** Counts bytes from a socket. */
  public void read(long bytes) {
    bytesRead.increment((double) bytes);
  }

  private TopicCounters account(Topic topic) {
    return new TopicCounters(registry, topic.name());
  }

  /**
   * The account of a topic; made if there is none.
   *
   * @throws RefusedException if that would be one topic too many
   */
  public TopicCounters open(Topic topic) throws RefusedException {
    TopicCounters known = counters.get(topic);
    return known != null ? known : make(topic);
  }

  private synchronized TopicCounters make(Topic topic) throws RefusedException {
    if (!counters.containsKey(topic) && counters.size() > maxTopics) {
      throw new RefusedException(
          RejectReason.TOPICS,
          "expected at most %d topics besides %s since this node was started, found one more: %s"
              .formatted(maxTopics, usual, topic));
    }
    return counters.computeIfAbsent(topic, this::account);
  }

  public double bytesRead() {
    return bytesRead.count();
  }

  /** The account of all that has no topic. */
  public TopicCounters withoutTopic() {
    return withoutTopic;
  }
}
