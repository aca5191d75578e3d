package io.cordwood.common.cold;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.CutSegment;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A bucket, as one query sees it. It counts the requests that the query makes, and keeps note of
 * all that could not be read. For all threads that work for the query.
 */
public final class ColdView implements SegmentSource.View {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ColdView.class), Duration.ofMinutes(1));

  private final UlidRange range;
  private final long maxRequests;
  private final Runnable whenStopped;
  private final Runnable whenUnread;
  private final Consumer<ColdObject> whenDamaged;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong unread = new AtomicLong();
  private final ColdFetcher fetcher;
  private final LeftOut leftOut;
  private final List<ColdPart> parts = new ArrayList<>();
  private @Nullable List<Segment> segments;
  private Optional<BucketPlace> place = Optional.empty();
  private long reliableUntilNanos = System.nanoTime();
  private @Nullable UlidRange lacking;
  private @Nullable String reason;
  private boolean isStopped;
  private volatile boolean isClosed;

  /**
   * How much a query takes of a bucket, beside what it took to know this.
   *
   * @param requests for its blocks, one for all that lie close together
   * @param bytes that these bring
   */
  public record Reading(long requests, long bytes) {
    /** Both together. */
    public Reading plus(Reading other) {
      return new Reading(requests + other.requests, bytes + other.bytes);
    }
  }

  ColdView(
      UlidRange range,
      long maxRequests,
      Runnable whenStopped,
      Runnable whenUnread,
      Consumer<ColdObject> whenDamaged,
      ColdFetcher fetcher,
      LeftOut leftOut) {
    this.leftOut = leftOut;
    this.range = range;
    this.fetcher = fetcher;
    this.maxRequests = maxRequests;
    this.whenStopped = whenStopped;
    this.whenUnread = whenUnread;
    this.whenDamaged = whenDamaged;
  }

  void searches(Optional<BucketPlace> listed, Duration reliable) {
    place = listed;
    reliableUntilNanos = System.nanoTime() + reliable.toNanos();
  }

  /** The place that was listed for it; empty if that has no mark, or nothing was listed. */
  public Optional<BucketPlace> place() {
    return place;
  }

  /**
   * By {@link System#nanoTime}, until when its list has all that stores deleted on their disks by
   * then because a bucket has it.
   */
  public long reliableUntilNanos() {
    return reliableUntilNanos;
  }

  /**
   * Adds an object.
   *
   * @param isEnding whether it may go at any time, and is not missed then
   */
  void add(ColdObject object, StoreSegment segment, boolean isEnding) {
    parts.add(new ColdPart(this, fetcher, object, segment, isEnding));
  }

  /**
   * One more request is about to be made.
   *
   * @throws BucketException if there may be none
   */
  void request() throws BucketException {
    if (isClosed) {
      throw new BucketException(Kind.UNREACHABLE, "not wanted any more");
    }
    if (requests.incrementAndGet() > maxRequests) {
      noteStopped();
      throw new BucketException(Kind.UNREACHABLE, stopText());
    }
  }

  private String stopText() {
    return "stopped after %d requests to the bucket".formatted(maxRequests);
  }

  private synchronized void noteStopped() {
    if (!isStopped) {
      isStopped = true;
      whenStopped.run();
      reason = stopText();
    }
  }

  /** Records of a range may be lacking. */
  synchronized void lacks(UlidRange of, String why) {
    lacking = lacking == null ? of : lacking.union(of);
    reason = reason == null ? why : reason;
  }

  /** A kept tail may be damaged: so it is read of the bucket the next time. */
  void damaged(ColdObject object) {
    whenDamaged.accept(object);
  }

  /** Something of a range could not be read. */
  void unread(UlidRange of, Throwable why) {
    unread.incrementAndGet();
    whenUnread.run();
    LOG.warn("cannot be read of a bucket:", of, why.toString());
    lacks(of, String.valueOf(why.getMessage()));
  }

  @Override
  public synchronized List<? extends Segment> segments() {
    List<Segment> known = segments;
    if (known == null) {
      known = parts.stream().map(it -> CutSegment.of(it, leftOut)).toList();
      segments = known;
    }
    return known;
  }

  /** Asked after the search: also what was found meanwhile. */
  @Override
  public synchronized Optional<SegmentSource.Lack> lack() {
    UlidRange of = lacking;
    if (of == null) {
      return Optional.empty();
    }
    UlidRange cut = of.overlaps(range) ? of.since(range.from()).until(range.to()) : range;
    long parts = unread.get();
    String text = parts == 0 ? "" : "%d parts of the bucket were not read: ".formatted(parts);
    return Optional.of(new SegmentSource.Lack(cut, text + reason));
  }

  /** Requests that were made for it. */
  public long requests() {
    return Math.min(requests.get(), maxRequests);
  }

  /** How much the blocks take that are going to be read, as far as that was told. */
  public Reading reading() {
    return parts.stream().map(ColdPart::reading).reduce(new Reading(0, 0), Reading::plus);
  }

  @Override
  public void close() {
    isClosed = true;
    parts.forEach(ColdPart::close);
  }
}
