package io.cordwood.store.segment;

import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Segments with what the log knows of them, which stay open until this is closed. */
public record HeldSegments(List<LiveSegment> live) implements SegmentSource.View {
  /** Those that overlap a range; nothing if one of them has been closed meanwhile. */
  static Optional<HeldSegments> of(List<LiveSegment> segments, UlidRange range) {
    List<LiveSegment> held = new ArrayList<>();
    for (LiveSegment segment : segments) {
      if (segment.info().range().overlaps(range)) {
        if (!segment.segment().retain()) {
          new HeldSegments(held).close();
          return Optional.empty();
        }
        held.add(segment);
      }
    }
    return Optional.of(new HeldSegments(List.copyOf(held)));
  }

  @Override
  public List<StoreSegment> segments() {
    return live.stream().map(LiveSegment::segment).toList();
  }

  @Override
  public void close() {
    live.forEach(s -> s.segment().release());
  }
}
