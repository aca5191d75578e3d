package io.cordwood.store.repair;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.segment.SegmentWithoutBatches;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.SegmentBuilder;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A whole segment that is not the store's own: written to be sent to another store, or received
 * from one. Its file, whose name promises nothing, goes when it is closed. One thread.
 */
final class TransferSegment implements AutoCloseable {
  private static final int PIECE_BYTES = 64 << 10;

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

  /**
   * Answers with the file, but without its list of batches: a store of before version 3 may ask,
   * and no store keeps the file as it comes.
   */
  void sendTo(Response response) throws IOException {
    try (var file = new SegmentWithoutBatches<>(filesystem.open(path()))) {
      response.header("content-type", "application/octet-stream").contentLength(file.size());
      for (long at = 0; at < file.size(); at += PIECE_BYTES) {
        byte[] piece = new byte[(int) Math.min(PIECE_BYTES, file.size() - at)];
        file.read(ByteBuffer.wrap(piece), at);
        response.body().write(piece);
      }
    }
    response.body().close();
  }

  @Override
  public void close() {
    flushed.segment().release();
    SegmentBuilder.discard(filesystem, flushed.path(), null);
  }
}
