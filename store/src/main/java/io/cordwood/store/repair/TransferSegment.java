package io.cordwood.store.repair;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.http.server.Response;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A whole segment that is not the store's own: written to be sent to another store, or received
 * from one. Its file, whose name promises nothing, goes when it is closed. One thread.
 */
final class TransferSegment implements AutoCloseable {
  private final Filesystem filesystem;
  private final SegmentBuilder.Flushed flushed;

  private TransferSegment(Filesystem filesystem, SegmentBuilder.Flushed flushed) {
    this.filesystem = filesystem;
    this.flushed = flushed;
  }

  static TransferSegment of(StoreLog log, SegmentBuilder.Flushed flushed) {
    return new TransferSegment(log.folder().filesystem(), flushed);
  }

  Path path() {
    return flushed.path();
  }

  long fileBytes() {
    return flushed.segment().fileBytes();
  }

  /** This segment as one that can be merged with others. */
  LiveSegment asLive() {
    return LiveSegment.of(flushed.path(), flushed);
  }

  /** Answers with the file. */
  void sendTo(Response response) throws IOException {
    response.header("content-type", "application/octet-stream").contentLength(fileBytes());
    try (ReadableFile file = filesystem.open(path())) {
      response.sendFile(file.channel(), 0, fileBytes());
    }
    response.body().close();
  }

  @Override
  public void close() {
    flushed.segment().release();
    SegmentBuilder.discard(filesystem, flushed.path(), null);
  }
}
