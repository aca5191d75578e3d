package io.cordwood.store.segment;

import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the views that queries have open, so that other work can wait for them. All threads. */
final class OpenViews {
  private final AtomicInteger open = new AtomicInteger();

  boolean areThere() {
    return open.get() > 0;
  }

  /** Counts a view until it is closed. */
  SegmentSource.View count(SegmentSource.View view) {
    open.incrementAndGet();
    return new Counted(view, new AtomicBoolean());
  }

  private final class Counted implements SegmentSource.View {
    private final SegmentSource.View view;
    private final AtomicBoolean closed;

    Counted(SegmentSource.View view, AtomicBoolean closed) {
      this.view = view;
      this.closed = closed;
    }

    @Override
    public List<? extends Segment> segments() {
      return view.segments();
    }

    @Override
    public void close() {
      if (!closed.getAndSet(true)) {
        open.decrementAndGet();
        view.close();
      }
    }
  }
}
