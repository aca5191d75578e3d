package io.cordwood.ingest;

import io.cordwood.common.segment.Topic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What became of every record and every byte, exactly, once all connections are at rest:
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
 * <p>For all threads.
 */
final class Ledger {
  /** The label of what has no topic; not the name of one. */
  static final String NO_TOPIC = "(none)";

  private final MeterRegistry registry;
  private final Counter bytesRead;
  private final Account withoutTopic;
  private final Map<Topic, Account> accounts = new ConcurrentHashMap<>();

  Ledger(MeterRegistry registry) {
    this.registry = registry;
    this.bytesRead = registry.counter(IngestMetrics.PREFIX + "bytes_read_total");
    this.withoutTopic = new Account(registry, NO_TOPIC);
    for (RejectReason reason : RejectReason.values()) {
      withoutTopic.show(reason);
    }
  }

  /** Counts bytes from a socket. */
  void read(int bytes) {
    bytesRead.increment(bytes);
  }

  /** The account of a topic; opened if there is none. */
  Account of(Topic topic) {
    return accounts.computeIfAbsent(topic, name -> new Account(registry, name.name()));
  }

  /** The account of all that has no topic. */
  Account withoutTopic() {
    return withoutTopic;
  }
}
