package io.cordwood.store.consume;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.ByteSource;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A pulled ingest segment: the first bytes of a spool file, after which there may be some of the
 * segment before.
 *
 * @param file owned by {@link DownloadFiles}
 */
record DownloadFile(ReadableFile file, long size) implements ByteSource {
  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    if (position + target.remaining() > size) {
      throw new EOFException(
          "expected %d bytes at %d of a pulled segment of %d bytes"
              .formatted(target.remaining(), position, size));
    }
    file.read(target, position);
  }
}
