package io.cordwood.ingest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One topic's part of the {@link Ledger}: counters that carry the topic as a label. For all
 * threads; looked up once for a connection or a batch, never for a record.
 *
 * <p>Bytes are those of the wire: line feeds that the node adds and headers that it makes are not
 * counted.
 */
public final class TopicCounters {
  static final String PREFIX = "cordwood_ingest_";

  private final MeterRegistry registry;
  private final String topic;
  private final Entry received;
  private final Entry stored;
  private final Map<RejectReason, Entry> rejected = new ConcurrentHashMap<>();

  /** Counters of records and of bytes that go together. */
  private record Entry(Counter records, Counter bytes) {
    void add(long moreRecords, long moreBytes) {
      records.increment((double) moreRecords);
      bytes.increment((double) moreBytes);
    }
  }

  /**
   * @param topic the label
   */
  TopicCounters(MeterRegistry registry, String topic) {
    this.registry = registry;
    this.topic = topic;
    this.received = entry("received", Tags.of("topic", topic));
    this.stored = entry("stored", Tags.of("topic", topic));
  }

  private Entry entry(String what, Tags tags) {
    return new Entry(
        registry.counter(PREFIX + "records_" + what + "_total", tags),
        registry.counter(PREFIX + "bytes_" + what + "_total", tags));
  }

  /**
   * Whether a batch's topic is this one, byte by byte.
   *
   * @param origin as it stands in the batch
   */
  public boolean isOf(ByteBuffer origin) {
    int length = topic.length();
    if (origin.remaining() < length
        || (origin.remaining() > length && origin.get(origin.position() + length) != '\n')) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (origin.get(origin.position() + i) != topic.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Counts what came; it has to be stored or rejected too, in the end. */
  public void received(long records, long bytes) {
    received.add(records, bytes);
  }

  /** Counts what is as safe as its port promises. */
  public void stored(long records, long bytes) {
    stored.add(records, bytes);
  }

  /** Counts what was received and will never be stored. */
  public void rejected(RejectReason reason, long records, long bytes) {
    if (records > 0 || bytes > 0) {
      rejected.computeIfAbsent(reason, this::rejections).add(records, bytes);
    }
  }

  /** Counts what is received and rejected at once. */
  public void turnedDown(RejectReason reason, long records, long bytes) {
    received(records, bytes);
    rejected(reason, records, bytes);
  }

  /** Shows a reason before anything was rejected for it. */
  void show(RejectReason reason) {
    rejected.computeIfAbsent(reason, this::rejections);
  }

  private Entry rejections(RejectReason reason) {
    return entry("rejected", Tags.of("topic", topic, "reason", reason.label()));
  }
}
