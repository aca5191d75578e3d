package io.cordwood.store.segment;

import io.cordwood.common.segment.StoreSegment;
import java.nio.file.Path;

/** A flushed segment that the log holds open and shows to queries. */
public record LiveSegment(Path file, StoreSegment segment, SegmentInfo info) {
  public static LiveSegment of(Path file, StoreSegment segment) {
    return new LiveSegment(
        file, segment, SegmentInfo.of(String.valueOf(file.getFileName()), segment));
  }
}
