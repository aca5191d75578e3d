package io.cordwood.common.cold;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.LabelSummary;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentTotals;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
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
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong unread = new AtomicLong();
  private final List<StoreSegment> held = new ArrayList<>();
  private @Nullable UlidRange lacking;
  private @Nullable String reason;
  private boolean isStopped;

  ColdView(UlidRange range, long maxRequests, Runnable whenStopped, Runnable whenUnread) {
    this.range = range;
    this.maxRequests = maxRequests;
    this.whenStopped = whenStopped;
    this.whenUnread = whenUnread;
  }

  void add(StoreSegment segment) {
    held.add(segment);
  }

  /**
   * One more request is about to be made.
   *
   * @throws BucketException if there may be none
   */
  void request() throws BucketException {
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

  /** Something of a range could not be read. */
  void unread(UlidRange of, Throwable why) {
    unread.incrementAndGet();
    whenUnread.run();
    LOG.warn("cannot be read of a bucket:", of, why.toString());
    lacks(of, String.valueOf(why.getMessage()));
  }

  @Override
  public List<? extends Segment> segments() {
    return held.stream().map(Part::new).toList();
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

  @Override
  public void close() {
    held.forEach(StoreSegment::release);
  }

  /** A step that reads. */
  @FunctionalInterface
  private interface Step<T> {
    T run() throws IOException;
  }

  /** A segment as the query sees it. */
  private final class Part implements Segment {
    private final StoreSegment segment;

    Part(StoreSegment segment) {
      this.segment = segment;
    }

    private <T> T noted(UlidRange of, Step<T> step) throws IOException {
      try {
        return step.run();
      } catch (IOException | RuntimeException e) {
        unread(of, e);
        throw e;
      }
    }

    @Override
    public UlidRange range() {
      return segment.range();
    }

    @Override
    public List<BlockInfo> blocks() throws IOException {
      return noted(range(), segment::blocks);
    }

    @Override
    public SegmentTotals totals() {
      return segment.totals();
    }

    @Override
    public BitSet candidates(List<AnyOf> required) throws IOException {
      return noted(range(), () -> segment.candidates(required));
    }

    /** Not known without a request; so what overlaps is counted by being read. */
    @Override
    public Optional<FirstForm> firstForm(BlockInfo block) {
      return Optional.empty();
    }

    @Override
    public Block read(BlockInfo block, BlockDecoder decoder) throws IOException {
      return noted(
          block.range(),
          () -> {
            request();
            Block read = segment.read(block, decoder);
            if (read.damagedBatches() > 0) {
              unread(
                  block.range(),
                  new IOException(read.damagedBatches() + " batches of a block are damaged"));
            }
            return read;
          });
    }

    @Override
    public List<LabelSummary> labels() throws IOException {
      return noted(range(), segment::labels);
    }
  }
}
