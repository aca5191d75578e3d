package io.cordwood.store.segment;

import io.cordwood.common.file.OnDemandFile;
import io.cordwood.common.segment.StoreSegment;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A flushed segment that the log holds and shows to queries.
 *
 * @param file where it is, or will be when an exchange is finished
 * @param source what it is read from
 */
public record LiveSegment(Path file, StoreSegment segment, SegmentInfo info, OnDemandFile source) {
  private static final Logger LOG = LoggerFactory.getLogger(LiveSegment.class);

  /**
   * A segment that was written here, and forced.
   *
   * @param file where it is, or will be
   */
  public static LiveSegment of(Path file, SegmentBuilder.Flushed flushed) {
    String name = String.valueOf(file.getFileName());
    return new LiveSegment(
        file, flushed.segment(), SegmentInfo.of(name, flushed.segment()), flushed.file());
  }

  /** For queries that have it and go on after its file is renamed or deleted. */
  void keepReadable() {
    try {
      source.hold();
    } catch (IOException e) {
      LOG.warn("{}: cannot be opened for queries that read it now", file, e);
    }
  }
}
