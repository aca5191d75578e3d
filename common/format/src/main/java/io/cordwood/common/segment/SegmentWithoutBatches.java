package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A segment's file as it would be without its list of batches, in version 1 or 2: for stores that
 * do not know version 3. All but header and footer is read where it stands. For one thread at a
 * time.
 */
public final class SegmentWithoutBatches<S extends ByteSource & Closeable>
    implements ByteSource, Closeable {
  private final S file;
  private final ByteBuffer header;
  private final ByteBuffer footer;
  private final long footerAt;

  /**
   * @param file of version 3; closed with this
   * @throws CorruptException if its header or footer is damaged
   */
  public SegmentWithoutBatches(S file) throws IOException {
    this.file = file;
    SegmentFooter without = StoreSegment.readFooter(file).withoutBatches();
    this.header = StoreSegmentHeader.encode(without.version());
    this.footer = without.encode();
    this.footerAt = without.batchesOffset();
  }

  @Override
  public long size() {
    return footerAt + SegmentFooter.BYTES;
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    int end = target.limit();
    long at = position;
    while (target.hasRemaining()) {
      if (at < StoreSegmentHeader.BYTES) {
        at += put(header, (int) at, target);
      } else if (at < footerAt) {
        target.limit((int) Math.min(end, target.position() + footerAt - at));
        int bytes = target.remaining();
        file.read(target, at);
        target.limit(end);
        at += bytes;
      } else if (at < size()) {
        at += put(footer, (int) (at - footerAt), target);
      } else {
        throw new EOFException("expected bytes at " + at + ", found the end of the file");
      }
    }
  }

  private static int put(ByteBuffer part, int from, ByteBuffer target) {
    int bytes = Math.min(part.limit() - from, target.remaining());
    target.put(part.slice(from, bytes));
    return bytes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
