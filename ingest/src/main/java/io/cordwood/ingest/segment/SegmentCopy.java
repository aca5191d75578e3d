package io.cordwood.ingest.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchScanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Writes the intact batches of a file, whatever else is wrong with it, to a new segment. */
final class SegmentCopy {
  private SegmentCopy() {}

  /**
   * Copies and flushes; when this returns, the copy is durable.
   *
   * @param id of the copy
   * @return the copy; empty if there is no intact batch
   */
  static Optional<FlushedSegment> of(ByteSource source, SegmentFolder folder, Ulid id)
      throws IOException {
    ActiveSegment copy = ActiveSegment.create(folder, id);
    try {
      return copied(source, copy);
    } catch (IOException e) {
      copy.discard(e);
      throw e;
    }
  }

  private static Optional<FlushedSegment> copied(ByteSource source, ActiveSegment copy)
      throws IOException {
    var scanner = new BatchScanner(source::read, 0, source.size());
    BatchScanner.Item item = scanner.next();
    while (!(item instanceof BatchScanner.End)) {
      if (item instanceof BatchScanner.Intact intact) {
        ByteBuffer bytes = intact.bytes();
        copy.append(new ByteBuffer[] {bytes}, bytes.remaining());
      }
      item = scanner.next();
    }
    return copy.flush();
  }
}
