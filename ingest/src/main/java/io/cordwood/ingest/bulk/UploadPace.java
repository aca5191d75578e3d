package io.cordwood.ingest.bulk;

import io.cordwood.ingest.IngestOptions.Bulk;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;

/** Ends uploads that hold their place and send next to nothing. For the upload's thread. */
final class UploadPace {
  private final Bulk bulk;
  private long fromNanos = System.nanoTime();
  private long bytes;

  UploadPace(Bulk bulk) {
    this.bulk = bulk;
  }

  /** Counts bytes that came, none if none came; to be called now and then. */
  void received(int count) throws UploadRefusedException {
    bytes += count;
    long now = System.nanoTime();
    if (now - fromNanos < bulk.within().toNanos()) {
      return;
    }
    if (bytes < bulk.minBytes()) {
      throw new UploadRefusedException(
          Reason.SLOW,
          "expected the end of the upload, or %d bytes within %d ms; found %d"
              .formatted(bulk.minBytes(), bulk.within().toMillis(), bytes));
    }
    fromNanos = now;
    bytes = 0;
  }

  /** Counts no time in which nothing was read on purpose. */
  void paused(long nanos) {
    fromNanos += nanos;
  }
}
