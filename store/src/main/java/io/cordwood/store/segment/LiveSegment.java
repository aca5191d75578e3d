package io.cordwood.store.segment;

import io.cordwood.common.file.OnDemandFile;
import io.cordwood.common.segment.StoreSegment;
import java.nio.file.Path;

/**
 * A flushed segment that the log holds and shows to queries.
 *
 * @param file where it is, or will be when an exchange is finished
 * @param source what it is read from
 */
public record LiveSegment(Path file, StoreSegment segment, SegmentInfo info, OnDemandFile source) {
  public static LiveSegment of(Path file, SegmentBuilder.Flushed flushed) {
    String name = String.valueOf(file.getFileName());
    return new LiveSegment(
        file, flushed.segment(), SegmentInfo.of(name, flushed.segment()), flushed.file());
  }
}
