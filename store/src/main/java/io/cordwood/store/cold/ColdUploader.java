package io.cordwood.store.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.run.Backoff;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.BucketTurn;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.DiskPace;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StorePeer;
import io.cordwood.store.segment.HeldSegments;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentMerge;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.UnreadableSegmentException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads the records of days that are over to a bucket, each once: of the stores that live, the
 * first by rendezvous hashing uploads what it holds and the bucket lacks; the next one does so an
 * hour later, with what is still not there, and so on. After each day, whatever went wrong with it,
 * it names there what it found and put, so that readers know what their lists lack.
 *
 * <p>Nothing that this store does depends on it, and it deletes nothing. One platform thread, never
 * interrupted.
 */
public final class ColdUploader implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ColdUploader.class);
  private static final long OBJECT_BYTES = 256L << 20;
  private static final long LEAST_WINDOW_MILLIS = 60_000;

  private final ColdOptions options;
  private final StoreLog log;
  private final KnownPeers peers;
  private final Bucket bucket;
  private final ColdMetrics metrics;
  private final StoreMetrics storeMetrics;
  private final InstantSource clock;
  private final StopFlag stop;
  private final ColdWriter writer;
  private final SegmentDays segmentDays;
  private final Map<LocalDate, Looked> looked = new HashMap<>();

  /** Since when this process knows that there are records of a day. */
  private final Map<LocalDate, Instant> known = new HashMap<>();

  private final Backoff backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(5));

  /**
   * When a day was looked at, and uploaded.
   *
   * @param names of the segments that had records of it
   */
  private record Looked(Set<String> names, Instant at) {}

  /**
   * @param bucket to write to, which this closes
   */
  public ColdUploader(
      ColdOptions options,
      Bucket bucket,
      StoreLog log,
      KnownPeers peers,
      StoreMetrics storeMetrics,
      MeterRegistry registry,
      InstantSource clock,
      StopFlag stop) {
    this.options = options;
    this.log = log;
    this.peers = peers;
    this.storeMetrics = storeMetrics;
    this.clock = clock;
    this.stop = stop;
    this.bucket = bucket;
    this.metrics = new ColdMetrics(registry, bucket.requests());
    var pace = new DiskPace(options.bytesPerSecond(), stop);
    this.segmentDays = new SegmentDays(log);
    this.writer = new ColdWriter(log, bucket, options.retention(), metrics, pace);
  }

  @Override
  public void run() {
    try {
      if (!stop.await(options.times().look())) { // By then it knows the other stores.
        stop.repeat(this::step);
      }
    } catch (InterruptedException e) {
      LOG.error("interrupted, uploads no more; nobody should interrupt it", e);
    }
  }

  /** Uploads what is due, or says why that fails; gives how long to wait after it. */
  Duration step() {
    try {
      uploadDue();
      metrics.paused(Optional.empty());
      backoff.reset();
      return options.times().look();
    } catch (BucketException e) {
      if (stop.isStopping()) {
        return Duration.ZERO; // its requests were broken off
      }
      metrics.paused(Optional.of(e.kind()));
      storeMetrics.failed("cold-upload");
      LOG.warn("nothing is uploaded now, which is tried again: {}", e.getMessage());
      return metrics.isPaused() ? options.times().look() : backoff.next();
    } catch (InterruptedIOException e) {
      return Duration.ZERO; // the store stops
    } catch (IOException | RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      storeMetrics.failed("cold-upload");
      LOG.error("an upload failed, will be tried again", e);
      return backoff.next();
    }
  }

  /**
   * Uploads what is due, the oldest day first. A day whose objects do not read holds up no others.
   */
  void uploadDue() throws IOException {
    Map<LocalDate, Set<String>> days = segmentDays.find();
    looked.keySet().retainAll(days.keySet());
    known.keySet().retainAll(days.keySet());
    Instant now = clock.instant();
    days.keySet().forEach(day -> known.putIfAbsent(day, now));
    List<LocalDate> due =
        days.keySet().stream()
            .filter(day -> !dueAt(day).isAfter(now))
            .filter(day -> isNew(looked.get(day), days.getOrDefault(day, Set.of()), now))
            .sorted()
            .toList();
    int pending = due.size();
    metrics.pendingDays(pending);
    Optional<BucketException> failed = Optional.empty();
    for (LocalDate day : due) {
      if (stop.isStopping()) {
        return;
      }
      try {
        upload(day);
        looked.put(day, new Looked(days.getOrDefault(day, Set.of()), now));
        metrics.pendingDays(--pending);
      } catch (BucketException e) {
        e.throwUnlessOfOneObject();
        failed = failed.or(() -> Optional.of(e));
      }
    }
    if (failed.isPresent()) {
      throw failed.get();
    }
  }

  private boolean isNew(@Nullable Looked last, Set<String> names, Instant now) {
    return last == null
        || (!last.names.equals(names) && !last.at.plus(options.times().turn()).isAfter(now));
  }

  /** Stores that begin with days of long ago take turns as well. */
  private Instant dueAt(LocalDate day) {
    List<String> others = peers.otherStores().stream().map(StorePeer::nodeId).toList();
    int rank = BucketTurn.of(peers.nodeId(), others, day);
    Instant whole = start(options.times().wholeDays() ? day.plusDays(1) : day);
    Instant due = whole.plus(options.after());
    Instant since = known.getOrDefault(day, due);
    return (due.isAfter(since) ? due : since).plus(options.times().turn().multipliedBy(rank));
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private void upload(LocalDate day) throws IOException {
    ColdList list = ColdList.of(bucket, day);
    try (var objects = new DayObjects(bucket, day, list, metrics)) {
      upload(ColdName.rangeOf(day), objects);
    } catch (UnreadableSegmentException e) {
      log.suspect(e.segment());
      throw e;
    }
  }

  /** Halves a range until an object is not too large; so each has a time as short as may be. */
  private void upload(UlidRange range, DayObjects objects) throws IOException {
    try (HeldSegments held = log.hold(range)) {
      if (held.live().isEmpty()) {
        return;
      }
      long millis = range.to().millis() - range.from().millis();
      if (millis < LEAST_WINDOW_MILLIS || rawBytes(held, range) <= OBJECT_BYTES) {
        uploadMissing(held.live(), range, objects);
        return;
      }
      long middle = range.from().millis() + millis / 2;
      upload(new UlidRange(range.from(), Ulid.lastOf(middle)), objects);
      upload(new UlidRange(Ulid.firstOf(middle + 1), range.to()), objects);
    }
  }

  private static long rawBytes(HeldSegments held, UlidRange range) throws IOException {
    long bytes = 0;
    for (LiveSegment segment : held.live()) {
      for (BlockInfo block : segment.segment().blocks()) {
        bytes += block.range().overlaps(range) ? block.rawBytes() : 0;
      }
    }
    return bytes;
  }

  private void uploadMissing(List<LiveSegment> segments, UlidRange range, DayObjects objects)
      throws IOException {
    Set<BatchInfo> there = objects.batches(range);
    var lacks = new AtomicBoolean();
    try (var merge = SegmentMerge.ofLists(segments, it -> it.range().overlaps(range))) {
      merge.run(it -> {
        if (range.contains(it.first()) && !there.contains(it)) {
          lacks.set(true);
        }
      });
    }
    if (lacks.get()) {
      writer.write(segments, range, there, objects::put);
    }
  }

  /** Breaks off what is asked of the bucket. */
  @Override
  public void close() {
    bucket.close();
  }
}
