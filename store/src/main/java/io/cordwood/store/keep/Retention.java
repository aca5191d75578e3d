package io.cordwood.store.keep;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.store.BucketCopies;
import io.cordwood.store.ByTopic;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StoreOptions.Keeping;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.SegmentName;
import io.cordwood.store.segment.StoreLog;
import io.cordwood.store.segment.StoreSegmentState;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trashes segments beyond the retention and purges trash beyond the grace. Where topics are kept
 * for different times, a segment goes when the time of each of its topics is over; before, {@link
 * TopicExpiry} takes out the others.
 *
 * <p>{@link AgeEvidence} must agree that a segment is old, and the present comes from a {@link
 * TrustedClock}. So no single clock deletes what is young. One thread.
 */
final class Retention {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

  private final Keeping bounds;
  private final StoreLog log;
  private final StoreMetrics metrics;
  private final Filesystem filesystem;
  private final TrustedClock clock;
  private final TopicExpiry expiry;
  private volatile long trashedSegments;
  private volatile long trashedBytes;
  private volatile Instant now;
  private final EarlyPurges earlyPurges;
  private final EvictedRanges evicted;
  private final EvictedRanges expired;
  private final Optional<Eviction> eviction;

  /** How long a bucket keeps records for which this store no longer does; zero without one. */
  private final Duration longestInBucket;

  private record Trashed(Path path, Instant newestRecord, Instant since, long bytes) {}

  Retention(
      StoreOptions options,
      StoreLog log,
      StoreMetrics metrics,
      TopicExpiry expiry,
      Optional<BucketCopies> bucket,
      InstantSource clock,
      LongSupplier nanoTime)
      throws IOException {
    this.bounds = options.keeping();
    this.log = log;
    this.metrics = metrics;
    this.filesystem = log.folder().filesystem();
    this.expiry = expiry;
    this.clock = new TrustedClock(clock, newest(clock), nanoTime);
    this.now = this.clock.now();
    this.earlyPurges = new EarlyPurges(log, log.folder().earlyPurges());
    this.evicted = new EvictedRanges(log, log.folder().evicted());
    this.expired = new EvictedRanges(log, log.folder().expired());
    this.longestInBucket = longestInBucket(options);
    this.eviction = eviction(options, bucket, nanoTime);
    showWhatIsLacking();
    metrics.watchTrash(() -> trashedSegments, () -> trashedBytes);
  }

  private Optional<Eviction> eviction(
      StoreOptions options, Optional<BucketCopies> bucket, LongSupplier nanoTime) {
    if (options.cold().isEmpty() || bucket.isEmpty()) {
      return Optional.empty();
    }
    ColdOptions cold = options.cold().get();
    return Optional.of(new Eviction(cold, bucket.get(), log, metrics, evicted, expired, nanoTime));
  }

  private static Duration longestInBucket(StoreOptions options) {
    return options.cold().stream()
        .flatMap(it -> it.retention().all().stream())
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** The latest time that segments are known to be of; without one, the present. */
  private Instant newest(InstantSource now) throws IOException {
    List<AgeEvidence> seen = new ArrayList<>();
    for (LiveSegment segment : log.live()) {
      seen.add(evidence(segment));
    }
    for (Trashed file : trashed()) {
      seen.add(new AgeEvidence(file.newestRecord, file.since));
    }
    return AgeEvidence.latest(seen).orElseGet(now::instant);
  }

  private AgeEvidence evidence(LiveSegment segment) throws IOException {
    return new AgeEvidence(segment.info().range().to().time(), filesystem.modified(segment.file()));
  }

  /**
   * The time before which records of a topic may be gone from this store, because they are old or
   * because there was no room for them, or because a bucket has them. Any thread.
   */
  ByTopic<Instant> horizons() {
    Instant purged = earlyPurges.before();
    Instant budgetHorizon = evicted.before().isAfter(purged) ? evicted.before() : purged;
    Instant present = now;
    return bounds
        .retention()
        .map(time -> {
          Instant horizon = present.minus(time);
          return horizon.isAfter(budgetHorizon) ? horizon : budgetHorizon;
        });
  }

  /** The time before which nothing is kept by its age. */
  private Instant last() {
    return now.minus(bounds.longest());
  }

  /** The time before which records are gone that by their age would be here; any thread. */
  Optional<Instant> purgedEarlyBefore() {
    return Optional.of(earlyPurges.before()).filter(before -> before.isAfter(last()));
  }

  /** The time before which records may be in a bucket alone; any thread. */
  Optional<Instant> evictedBefore() {
    return Optional.of(evicted.before()).filter(before -> before.isAfter(last()));
  }

  private void showWhatIsLacking() {
    log.lacks().earlyPurges(earlyPurges.since(last()));
    Instant lastAnywhere = now.minus(longest());
    List<Evicted> gone = new ArrayList<>(evicted.since(lastAnywhere));
    gone.addAll(expired.since(lastAnywhere));
    log.lacks().evictions(gone);
  }

  /** How long records are kept anywhere. */
  private Duration longest() {
    Duration here = bounds.longest();
    return here.compareTo(longestInBucket) < 0 ? longestInBucket : here;
  }

  /** Whether a segment may go: those that a bucket is to keep for longer have to be there. */
  private boolean mayExpire(LiveSegment segment) throws IOException {
    return eviction.isEmpty()
        || longestInBucket.compareTo(bounds.shortest()) <= 0
        || eviction.get().letsExpire(segment, now, this::showWhatIsLacking);
  }

  /** Trashes and purges what is due. */
  void run() throws IOException {
    now = clock.now();
    showWhatIsLacking();
    for (LiveSegment segment : expired()) {
      if (mayExpire(segment)) {
        trash(segment);
      }
    }
    List<Trashed> trashed = trashed();
    for (Trashed file : List.copyOf(trashed)) {
      if (file.since.isBefore(now.minus(bounds.trashGrace()))) {
        purge(file);
        trashed.remove(file);
      }
    }
    if (bounds.maxBytes() > 0) {
      purgeTrash(trashed);
    }
    if (eviction.isPresent() && eviction.get().isOn()) {
      eviction.get().run(now, this::excess, this::showWhatIsLacking);
    } else if (bounds.maxBytes() > 0) {
      purgeEarly();
    }
    trashedSegments = trashed.size();
    trashedBytes = trashed.stream().mapToLong(Trashed::bytes).sum();
  }

  /** Rewrites a segment of which some topics are due to go; whether there was one. */
  boolean rewriteNext() throws IOException {
    return expiry.runOnce(now);
  }

  private List<LiveSegment> expired() throws IOException {
    if (!bounds.retention().isOne()) {
      return expiry.find(now, this::mayExpire);
    }
    List<LiveSegment> expired = new ArrayList<>();
    for (LiveSegment segment : log.live()) {
      if (isOld(segment, last())) {
        expired.add(segment);
      }
    }
    return expired;
  }

  private boolean isOld(LiveSegment segment, Instant horizon) throws IOException {
    try {
      return evidence(segment).agreeOn(horizon);
    } catch (NoSuchFileException e) {
      LOG.debug("{}: is not there, or not yet under this name", segment.file());
      return false;
    }
  }

  /** Trash goes first, the oldest before the others. */
  private void purgeTrash(List<Trashed> trashed) throws IOException {
    long excess = excess(log.infos()) + trashed.stream().mapToLong(Trashed::bytes).sum();
    trashed.sort(Comparator.comparing(Trashed::since));
    while (excess > 0 && !trashed.isEmpty()) {
      Trashed oldest = trashed.removeFirst();
      purge(oldest);
      excess -= oldest.bytes;
    }
  }

  private long excess(List<SegmentInfo> segments) {
    long most = bounds.maxBytes() == 0 ? Long.MAX_VALUE : bounds.maxBytes();
    return segments.stream().mapToLong(SegmentInfo::fileBytes).sum() - most;
  }

  /** Then the oldest records, which are purged at once to make the room. */
  private void purgeEarly() throws IOException {
    List<LiveSegment> oldestFirst =
        log.live().stream().sorted(Comparator.comparing(s -> s.info().range().to())).toList();
    long excess = excess(log.infos());
    for (LiveSegment segment : oldestFirst) {
      if (excess <= 0) {
        return;
      }
      earlyPurges.goes(segment.info().range());
      showWhatIsLacking();
      SegmentInfo info = segment.info();
      purge(new Trashed(trash(segment), info.range().to().time(), now, info.fileBytes()));
      excess -= info.fileBytes();
    }
  }

  private Path trash(LiveSegment segment) throws IOException {
    Path path = log.trash(segment, now);
    metrics.retained("trashed", 1);
    LOG.info("{}: trashed", segment.file());
    return path;
  }

  private void purge(Trashed file) throws IOException {
    log.purge(file.path);
    metrics.retained("purged", 1);
    LOG.info("{}: purged", file.path);
  }

  private List<Trashed> trashed() throws IOException {
    List<Trashed> found = new ArrayList<>();
    for (Path path : filesystem.list(log.folder().path())) {
      var name = SegmentName.parse(String.valueOf(path.getFileName()));
      if (name.isPresent() && name.get().state() == StoreSegmentState.TRASHED) {
        Instant newestRecord = name.get().range().to().time();
        found.add(new Trashed(path, newestRecord, filesystem.modified(path), size(path)));
      }
    }
    return found;
  }

  private long size(Path path) throws IOException {
    try (var file = filesystem.open(path)) {
      return file.size();
    }
  }
}
