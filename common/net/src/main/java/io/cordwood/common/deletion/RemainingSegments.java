package io.cordwood.common.deletion;

import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The segments of a source without what is deleted: what all readers of a node's records read. A
 * view is without what was known to be deleted when it was opened. Safe for many threads.
 */
public final class RemainingSegments implements SegmentSource {
  private final SegmentSource source;
  private final Deletions deletions;
  private final Untouched<Segment> untouched = Untouched.bySegment();

  public RemainingSegments(SegmentSource source, Deletions deletions) {
    this.source = source;
    this.deletions = deletions;
  }

  @Override
  public View view(UlidRange range) throws IOException {
    Tombstones deleted = deletions.known();
    View view = source.view(range);
    try {
      return deleted.size() == 0 ? view : without(deleted, view);
    } catch (RuntimeException | Error e) {
      view.close();
      throw e;
    }
  }

  private View without(Tombstones deleted, View view) {
    List<Segment> left = new ArrayList<>();
    for (Segment segment : view.segments()) {
      left.add(untouched.without(deleted, segment, segment));
    }
    return new Remaining(view, List.copyOf(left));
  }

  private record Remaining(View view, List<Segment> segments) implements View {
    @Override
    public Optional<Lack> lack() {
      return view.lack();
    }

    @Override
    public List<Evicted> evicted() {
      return view.evicted();
    }

    @Override
    public void close() {
      view.close();
    }
  }

  @Override
  public Optional<Instant> stampTime() {
    return source.stampTime();
  }

  @Override
  public Optional<ArrivalSource> arrivals() {
    return source.arrivals().map(it -> () -> new RemainingArrivals(it.follow(), deletions));
  }

  /** Arriving records, without what is deleted already. */
  private record RemainingArrivals(ArrivalSource.Follower arriving, Deletions deletions)
      implements ArrivalSource.Follower {
    @Override
    public ArrivalSource.Arrived await(Duration longest) throws IOException, InterruptedException {
      ArrivalSource.Arrived arrived = arriving.await(longest);
      LeftOut deleted = deletions.known();
      List<Block> left = new ArrayList<>();
      for (Block block : arrived.blocks()) {
        if (deleted.of(block.topic(), block.range()) == LeftOut.Extent.NONE) {
          left.add(block);
        } else {
          block.without(deleted).ifPresent(left::add);
        }
      }
      return new ArrivalSource.Arrived(List.copyOf(left), arrived.missed());
    }

    @Override
    public void close() {
      arriving.close();
    }
  }
}
