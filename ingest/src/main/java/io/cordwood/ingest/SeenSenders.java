package io.cordwood.ingest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The senders that a node has heard of since it was started: for people who ask where records come
 * from, and why they do not. The {@value #MAX} that sent last are known. For all threads.
 */
public final class SeenSenders {
  /** More than that are not kept. */
  static final int MAX = 1000;

  /** A rate is over about as long. */
  private static final double RATE_SECONDS = 10;

  private final InstantSource clock;
  private final Counter forgotten;
  private final Map<Key, Seen> all = new HashMap<>();

  /**
   * @param registry that counts who is not kept
   */
  public SeenSenders(InstantSource clock, MeterRegistry registry) {
    this.clock = clock;
    this.forgotten = registry.counter(IngestMetrics.PREFIX + "senders_forgotten_total");
  }

  /**
   * A sender, at one port, of one topic.
   *
   * @param port or path that it sends to
   * @param topic a hyphen if it got no farther
   */
  public record Key(String address, String port, String topic) {}

  /**
   * How one stands.
   *
   * @param refusal why it was last refused; empty if it never was
   * @param lastMillis when it was last heard of
   */
  public record Standing(
      Key sender,
      long records,
      long bytes,
      double recordsPerSecond,
      long refusals,
      String refusal,
      long lastMillis) {}

  /** One sender at one port of one topic. For all threads. */
  public final class Seen {
    private final Key key;
    private long records;
    private long bytes;
    private double rate;
    private long rateNanos = System.nanoTime();
    private long refusals;
    private String refusal = "";
    private long lastMillis = clock.millis();

    private Seen(Key key) {
      this.key = key;
    }

    /** Counts records that came, be they stored or not. */
    public synchronized void received(long moreRecords, long moreBytes) {
      records += moreRecords;
      bytes += moreBytes;
      rate = rateNow() + moreRecords / RATE_SECONDS;
      lastMillis = clock.millis();
    }

    private double rateNow() {
      long now = System.nanoTime();
      double seconds = (now - rateNanos) / (double) TimeUnit.SECONDS.toNanos(1);
      rateNanos = now;
      return rate * Math.exp(-seconds / RATE_SECONDS);
    }

    private synchronized void refused(String why) {
      refusals++;
      refusal = why;
      lastMillis = clock.millis();
    }

    private synchronized Standing standing() {
      rate = rateNow();
      return new Standing(key, records, bytes, rate, refusals, refusal, lastMillis);
    }

    private synchronized long lastMillis() {
      return lastMillis;
    }
  }

  /** Finds a sender, or adds one; to be asked once for a connection or a batch. */
  Seen of(String address, String port, String topic) {
    synchronized (all) {
      var key = new Key(address, port, topic);
      Seen known = all.get(key);
      if (known == null) {
        if (all.size() >= MAX) {
          forgetOldest();
        }
        known = new Seen(key);
        all.put(key, known);
      }
      return known;
    }
  }

  private void forgetOldest() {
    all.values().stream()
        .min(Comparator.comparingLong(Seen::lastMillis))
        .ifPresent(oldest -> all.remove(oldest.key));
    forgotten.increment();
  }

  /** Counts that a sender was refused. */
  void refused(String address, String port, String topic, String why) {
    of(address, port, topic).refused(why);
  }

  /** All that are known, those with the most records a second first. */
  public List<Standing> standings() {
    List<Seen> seen;
    synchronized (all) {
      seen = List.copyOf(all.values());
    }
    return seen.stream()
        .map(Seen::standing)
        .sorted(
            Comparator.comparingDouble(Standing::recordsPerSecond)
                .reversed()
                .thenComparing(Standing::lastMillis, Comparator.reverseOrder()))
        .toList();
  }
}
