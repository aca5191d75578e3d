package io.cordwood.store.keep;

import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.BucketCopies;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes segments of which a bucket has all batches: those that are old enough, and older ones
 * than an hour or two when there is no room. It notes durably up to when something may be in the
 * bucket alone, before it goes. What is not proven stays, whatever its age and size. One thread;
 * any may ask what went.
 */
final class Eviction {
  private static final Logger LOG = LoggerFactory.getLogger(Eviction.class);
  private static final RateLimitedLog TROUBLE = new RateLimitedLog(LOG, Duration.ofMinutes(10));

  private final Optional<Duration> after;
  private final ColdOptions options;
  private final BucketCopies copies;
  private final StoreLog log;
  private final StoreMetrics metrics;
  private final LongSupplier nanoTime;
  private final EvictedRanges evicted;
  private final EvictedRanges expired;
  private long nextNanos;

  /**
   * @param evicted what went before its time
   * @param expired what went at its time
   */
  Eviction(
      ColdOptions options,
      BucketCopies copies,
      StoreLog log,
      StoreMetrics metrics,
      EvictedRanges evicted,
      EvictedRanges expired,
      LongSupplier nanoTime) {
    this.after = options.evictAfter();
    this.options = options;
    this.copies = copies;
    this.log = log;
    this.metrics = metrics;
    this.evicted = evicted;
    this.expired = expired;
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong();
    metrics.retained("evicted", 0);
  }

  /** Whether anything goes before its time. */
  boolean isOn() {
    return after.isPresent();
  }

  /**
   * Whether a segment whose time on the disk is over may go, since the bucket has it, which keeps
   * it for longer. It is noted then that it goes. What is over in the bucket, too, needs no proof.
   */
  boolean letsExpire(LiveSegment segment, Instant now, Runnable beforeItGoes) throws IOException {
    Predicate<BlockInfo> kept =
        block -> !block.range().to().time().isBefore(now.minus(inBucket(block)));
    try {
      if (segment.segment().blocks().stream().noneMatch(kept)) {
        return true;
      }
      if (isProven(segment, kept)) {
        expired.goes(segment.info().range(), place());
        beforeItGoes.run();
        return true;
      }
      TROUBLE.warn("its time is over, and it stays: the bucket lacks some:", segment.file(), "");
    } catch (CorruptException e) {
      log.suspect(segment);
      return false;
    } catch (BucketUnreadException e) {
      TROUBLE.warn("its time is over, and it stays:", "the bucket", e.toString());
    }
    metrics.failed("expire");
    return false;
  }

  private Duration inBucket(BlockInfo block) {
    return options.retention().of(block.topic());
  }

  /**
   * Evicts what is due.
   *
   * @param excess of bytes on the disk over a number of them, if there is a bound
   * @param beforeItGoes done when it is noted that a segment goes
   */
  void run(Instant now, ToLongFunction<List<SegmentInfo>> excess, Runnable beforeItGoes)
      throws IOException {
    if (after.isEmpty() || nanoTime.getAsLong() - nextNanos < 0) {
      return;
    }
    boolean some = false;
    try {
      some = evict(now, excess, beforeItGoes);
    } catch (BucketUnreadException e) {
      metrics.failed("evict");
      TROUBLE.warn("nothing is evicted now, which is tried again:", "the bucket", e.toString());
    }
    if (!some) { // To compare costs time, and there will be nothing again for a while.
      nextNanos = nanoTime.getAsLong() + options.times().evictionPause().toNanos();
    }
  }

  private boolean evict(
      Instant now, ToLongFunction<List<SegmentInfo>> excess, Runnable beforeItGoes)
      throws IOException {
    List<LiveSegment> oldestFirst =
        log.live().stream().sorted(Comparator.comparing(s -> s.info().range().to())).toList();
    boolean some = false;
    long tooMuch = excess.applyAsLong(log.infos());
    for (LiveSegment segment : oldestFirst) {
      Instant last = segment.info().range().to().time();
      boolean due = last.isBefore(now.minus(after.orElseThrow()));
      boolean mayGo = last.isBefore(now.minus(options.times().proof()));
      if (!due && (!mayGo || tooMuch <= 0)) {
        break;
      }
      if (isProven(segment, _ -> true)) {
        evicted.goes(segment.info().range(), place());
        beforeItGoes.run();
        log.purge(log.trash(segment, now));
        metrics.retained("evicted", 1);
        LOG.info("{}: evicted, the bucket has all of it", segment.file());
        tooMuch -= segment.info().fileBytes();
        some = true;
      }
    }
    return some;
  }

  /** Asked for each segment: a mark that another one replaced is not relied on for long. */
  private BucketPlace place() throws BucketUnreadException {
    try {
      return copies
          .place()
          .orElseThrow(
              () -> new IOException("expected the mark that the bucket had before, found another"));
    } catch (IOException e) {
      throw new BucketUnreadException(e);
    }
  }

  private boolean isProven(LiveSegment segment, Predicate<BlockInfo> wanted)
      throws BucketUnreadException {
    try {
      return copies.haveAllOf(segment.segment(), wanted);
    } catch (CorruptException e) {
      log.suspect(segment);
      return false;
    } catch (IOException e) {
      throw new BucketUnreadException(e);
    }
  }

  /** The bucket, or a list of batches, does not read. */
  private static final class BucketUnreadException extends IOException {
    private static final long serialVersionUID = 1;

    BucketUnreadException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
