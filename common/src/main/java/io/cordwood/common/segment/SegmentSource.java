package io.cordwood.common.segment;

import io.cordwood.common.ulid.UlidRange;
import java.util.List;

/** What a query can be run over: the store segments that there are at one moment. */
public interface SegmentSource {
  /** The segments that overlap a range, kept open until the view is closed. */
  View view(UlidRange range);

  /** Some segments, held. */
  interface View extends AutoCloseable {
    List<StoreSegment> segments();

    /** Releases the segments. */
    @Override
    void close();
  }
}
