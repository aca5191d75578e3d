package io.cordwood.store.keep;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.cold.ColdCatalogue;
import io.cordwood.common.cold.ColdEnds;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.BucketTurn;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StorePeer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes objects of a bucket all of whose topics are beyond the time that a rule keeps them there.
 * First they are named there as over; two hours after this store has seen that listed, they are
 * deleted. The store that is first by rendezvous hashing does so for a day, the next one twelve
 * hours later with what is still there.
 *
 * <p>{@link AgeEvidence} must agree that an object is old: its newest record, and when it was put
 * by the clock of the bucket; and the present comes from a {@link TrustedClock}. Nothing is named
 * or deleted while a list lacks what is known, or the place has stores of other rules or of another
 * cluster. Memory: some 100 bytes for each object beyond the shortest time. One platform thread,
 * never interrupted.
 */
public final class ColdRetention implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ColdRetention.class);
  private static final RateLimitedLog TROUBLE = new RateLimitedLog(LOG, Duration.ofHours(6));
  private static final String FAILURE = "cold-retention";
  private static final int LATER_TURNS = 6;
  private static final int TURNS_OF_A_STORE = 12;

  private final ColdOptions options;
  private final Duration shortest;
  private final ColdReader reader;
  private final Bucket bucket;
  private final KnownPeers peers;
  private final PlaceStores stores;
  private final StoreMetrics metrics;
  private final InstantSource wall;
  private final LongSupplier nanoTime;
  private final StopFlag stop;
  private final Counter deletedObjects;
  private final Counter deletedBytes;
  private final AtomicLong ending = new AtomicLong();
  private final AtomicLong paused = new AtomicLong();
  private final Map<ColdName, Duration> kept = new HashMap<>();
  private @Nullable TrustedClock clock;

  /**
   * @param reader which stays the caller's
   * @param bucket to write to, which this closes
   */
  public ColdRetention(
      ColdOptions options,
      ColdReader reader,
      Bucket bucket,
      KnownPeers peers,
      StoreMetrics metrics,
      MeterRegistry registry,
      Clocks clocks,
      StopFlag stop) {
    this.options = options;
    this.shortest = options.retention().all().stream().min(Comparator.naturalOrder()).orElseThrow();
    this.reader = reader;
    this.bucket = bucket;
    this.peers = peers;
    this.stores = new PlaceStores(bucket, peers, options.retention());
    this.metrics = metrics;
    this.wall = clocks.wall;
    this.nanoTime = clocks.nanoTime;
    this.stop = stop;
    deletedObjects = counter(registry, "deleted.objects");
    deletedBytes = counter(registry, "deleted.bytes");
    gauge(registry, "ending.objects", ending);
    gauge(registry, "retention.paused", paused);
  }

  /**
   * The clocks of a store.
   *
   * @param nanoTime that only ever goes on
   */
  public record Clocks(InstantSource wall, LongSupplier nanoTime) {}

  private static Counter counter(MeterRegistry registry, String name) {
    return registry.counter("cordwood.cold." + name);
  }

  private static void gauge(MeterRegistry registry, String name, AtomicLong value) {
    Gauge.builder("cordwood.cold." + name, value, AtomicLong::get)
        .strongReference(true)
        .register(registry);
  }

  @Override
  public void run() {
    try {
      stop.repeat(this::step);
    } catch (InterruptedException e) {
      LOG.error("interrupted, deletes no objects any more; nobody should interrupt it", e);
    }
  }

  private Duration step() {
    try {
      return runOnce();
    } catch (IOException | RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      if (!stop.isStopping()) {
        pause(e.toString());
      }
      return options.times().turn();
    }
  }

  private void pause(String why) {
    metrics.failed(FAILURE);
    paused.set(1);
    TROUBLE.warn("nothing is deleted now, which is tried again:", bucket, why);
  }

  /**
   * Names and deletes what is due.
   *
   * @return when to do it again
   */
  Duration runOnce() throws IOException {
    if (options.isForEver()) {
      stores.say(); // For those that have rules.
      return options.times().turn().multipliedBy(LATER_TURNS);
    }
    var obstacle = stores.check();
    ColdCatalogue.Found found = reader.catalogue().find(UlidRange.ALL);
    List<ColdObject> over = reader.catalogue().ending(options.times().proof());
    List<ColdObject> all = new ArrayList<>(found.objects());
    all.addAll(reader.catalogue().ending(Duration.ZERO));
    kept.keySet().retainAll(all.stream().map(ColdObject::name).collect(Collectors.toSet()));
    if (found.absent() > 0) {
      pause("a list lacks %d objects that were listed or named before".formatted(found.absent()));
      return options.times().turn();
    }
    Instant now = now(all); // All were listed: a manifest says later than they were put.
    if (obstacle.isPresent()) {
      pause(obstacle.get());
      return options.times().turn();
    }
    boolean named = name(found.objects(), now);
    boolean failed = !delete(over, now) || !deleteManifests();
    paused.set(failed ? 1 : 0);
    ending.set(reader.catalogue().ending(Duration.ZERO).size());
    Duration soon = options.times().turn();
    return named || ending.get() > 0 ? soon : soon.multipliedBy(LATER_TURNS);
  }

  private Instant now(List<ColdObject> seen) {
    if (clock == null) {
      var newest = AgeEvidence.latest(seen.stream().map(ColdRetention::evidence).toList());
      if (newest.isEmpty()) {
        return Instant.EPOCH; // Nothing is there that could be old.
      }
      clock = new TrustedClock(wall, newest.get(), nanoTime);
    }
    return clock.now();
  }

  private static AgeEvidence evidence(ColdObject object) {
    return new AgeEvidence(object.name().range().to().time(), object.uploaded());
  }

  /** Whether some are over since just now. */
  private boolean name(List<ColdObject> objects, Instant now) throws IOException {
    Map<LocalDate, List<ColdName>> over = new TreeMap<>();
    for (ColdObject object : objects) {
      if (!stop.isStopping() && isOver(object, now)) {
        over.computeIfAbsent(object.name().day(), _ -> new ArrayList<>()).add(object.name());
      }
    }
    for (var day : over.entrySet()) {
      LOG.info("{}: {} objects of {} are over", bucket, day.getValue().size(), day.getKey());
      ColdEnds.put(bucket, day.getKey(), day.getValue());
    }
    return !over.isEmpty();
  }

  /** Whether it is this store's turn, too. */
  private boolean isOver(ColdObject object, Instant now) throws IOException {
    long turns = (long) TURNS_OF_A_STORE * rank(object.name().day());
    Instant turn = now.minus(options.times().turn().multipliedBy(turns));
    AgeEvidence evidence = evidence(object);
    if (!evidence.agreeOn(turn.minus(shortest))) {
      return false;
    }
    Duration longest = longest(object);
    return !longest.equals(ColdOptions.FOR_EVER) && evidence.agreeOn(turn.minus(longest));
  }

  private int rank(LocalDate day) {
    List<String> others = peers.otherStores().stream().map(StorePeer::nodeId).toList();
    return BucketTurn.of(peers.nodeId(), others, day);
  }

  /** How long the topic of an object is kept that is kept the longest. */
  private Duration longest(ColdObject object) throws IOException {
    Duration known = kept.get(object.name());
    if (known != null) {
      return known;
    }
    Duration longest = shortest;
    try {
      StoreSegment segment = reader.open(object);
      try {
        for (BlockInfo block : segment.blocks()) {
          Duration each = options.retention().of(block.topic());
          longest = each.compareTo(longest) > 0 ? each : longest;
        }
      } finally {
        segment.release();
      }
    } catch (CorruptException e) {
      LOG.warn("{}/{}: stays, since its topics do not read: {}", bucket, object.name(), "" + e);
      longest = ColdOptions.FOR_EVER;
    } catch (BucketException e) {
      e.throwUnlessOfOneObject();
      LOG.warn("{}/{}: stays, since it is not given: {}", bucket, object.name(), e.getMessage());
      return ColdOptions.FOR_EVER;
    }
    kept.put(object.name(), longest);
    return longest;
  }

  /** Whether none failed. */
  private boolean delete(List<ColdObject> over, Instant now) throws IOException {
    for (ColdObject object : over) {
      if (stop.isStopping() || !isOver(object, now)) {
        continue;
      }
      if (!delete(object.name().key())) {
        return false;
      }
      deletedObjects.increment();
      deletedBytes.increment(object.bytes());
      LOG.info("{}/{}: deleted by the rule for it", bucket, object.name());
    }
    return true;
  }

  private boolean delete(String key) throws IOException {
    try {
      bucket.delete(key);
      return true;
    } catch (BucketException e) {
      pause(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** Those of days of which nothing is left. Whether none failed. */
  private boolean deleteManifests() throws IOException {
    for (var manifest : reader.catalogue().needlessManifests().entrySet()) {
      if (!stop.isStopping() && rank(manifest.getValue()) == 0) {
        if (!delete(manifest.getKey())) {
          return false;
        }
        LOG.info("{}/{}: deleted with all that it named", bucket, manifest.getKey());
      }
    }
    return true;
  }

  /** Breaks off what is asked of the bucket. */
  @Override
  public void close() {
    bucket.close();
  }
}
