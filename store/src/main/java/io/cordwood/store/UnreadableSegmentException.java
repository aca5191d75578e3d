package io.cordwood.store;

import io.cordwood.common.segment.CorruptException;
import java.io.IOException;

/** A segment's block could not be read. */
final class UnreadableSegmentException extends IOException {
  private final transient LiveSegment segment;

  UnreadableSegmentException(LiveSegment segment, IOException cause) {
    super(segment.file() + ": " + cause.getMessage(), cause);
    this.segment = segment;
  }

  LiveSegment segment() {
    return segment;
  }

  /** Whether the bytes are there but wrong, so that a salvage finds what is right of them. */
  boolean isDamaged() {
    return getCause() instanceof CorruptException;
  }
}
