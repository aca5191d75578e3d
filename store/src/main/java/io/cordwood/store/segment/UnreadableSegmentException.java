package io.cordwood.store.segment;

import java.io.IOException;

/** A segment's block could not be read. */
public final class UnreadableSegmentException extends IOException {
  private final transient LiveSegment segment;

  UnreadableSegmentException(LiveSegment segment, IOException cause) {
    super(segment.file() + ": " + cause.getMessage(), cause);
    this.segment = segment;
  }

  public LiveSegment segment() {
    return segment;
  }
}
