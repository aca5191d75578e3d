package io.cordwood.query;

import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The segments of two sources, where batches move from the first to the second.
 *
 * <p>The first is looked at first. A batch is seen there before it leaves it, so whatever leaves
 * between the two looks is in the second. What is in both at one moment, or arrives while it is
 * looked at, is seen twice: readers drop the second copy by its ULID.
 */
record JoinedSegments(SegmentSource first, SegmentSource second) implements SegmentSource {
  @Override
  public View view(UlidRange range) throws IOException {
    View view = first.view(range);
    try {
      return new JoinedView(view, second.view(range));
    } catch (IOException | RuntimeException e) {
      view.close();
      throw e;
    }
  }

  /** The first one's time: the second shows what has come through the first. */
  @Override
  public Optional<Instant> stampTime() {
    return first.stampTime();
  }

  private record JoinedView(View first, View second) implements View {
    @Override
    public List<? extends Segment> segments() {
      List<Segment> all = new ArrayList<>(first.segments());
      all.addAll(second.segments());
      return all;
    }

    @Override
    public Optional<Lack> lack() {
      return Stream.of(first.lack(), second.lack()).flatMap(Optional::stream).reduce(Lack::and);
    }

    @Override
    public List<Evicted> evicted() {
      List<Evicted> all = new ArrayList<>(first.evicted());
      all.addAll(second.evicted());
      return all;
    }

    @Override
    public void close() {
      try (first) {
        second.close();
      }
    }
  }
}
