package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.IngestHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads the batches of a spool file, of which any byte may be wrong: after damage it goes on with
 * the next batch that is intact. One thread.
 */
final class SpooledBatches {
  private final FileChannel channel;
  private final BatchScanner scanner = new BatchScanner(this::read, IngestHeader.BYTES, 0);
  private long at = IngestHeader.BYTES;
  private long damagedBytes;

  SpooledBatches(FileChannel channel) {
    this.channel = channel;
  }

  /** Bytes that were passed over so far, since they are of no intact batch. */
  long damagedBytes() {
    return damagedBytes;
  }

  /** The place at which the next batch is looked for. */
  long position() {
    return at;
  }

  /**
   * The next intact batch; null at the end.
   *
   * @param end of what is written
   */
  BatchScanner.@Nullable Intact next(long end) throws IOException {
    scanner.growTo(end);
    BatchScanner.Item item = scanner.next();
    while (item instanceof BatchScanner.Damage damage) {
      damagedBytes += damage.length();
      at = damage.end();
      item = scanner.next();
    }
    if (item instanceof BatchScanner.Intact found) {
      at = found.end();
      return found;
    }
    return null;
  }

  private void read(ByteBuffer into, long from) throws IOException {
    long position = from;
    while (into.hasRemaining()) {
      int count = channel.read(into, position);
      if (count < 0) {
        throw new IOException("expected more bytes at " + position + ", found the file's end");
      }
      position += count;
    }
  }
}
