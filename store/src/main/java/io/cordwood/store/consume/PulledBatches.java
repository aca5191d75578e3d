package io.cordwood.store.consume;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIndex;
import io.cordwood.common.wire.BatchHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of pulled ingest segments, in a store segment's order, each once.
 *
 * <p>Each file is read through a window of its own, since batches that follow each other mostly
 * stand near each other; a larger batch is read by itself. Memory: a window a file and one batch,
 * outside of the heap. One thread.
 */
final class PulledBatches {
  static final int WINDOW_BYTES = 64 << 10;

  private final List<DownloadFiles.Download> files;
  private final BatchIndex index;
  private final int[] order;
  private final @Nullable Window[] windows;
  private final ByteBuffer large;
  private long duplicateRecords;
  private int next;

  /**
   * @param order the entries of the index that are wanted, sorted as it sorts them
   * @param large a buffer that can hold a batch's largest payload
   */
  PulledBatches(
      List<DownloadFiles.Download> files, BatchIndex index, int[] order, ByteBuffer large) {
    this.files = files;
    this.index = index;
    this.order = order;
    this.windows = new Window[files.size()];
    this.large = large;
  }

  static ByteBuffer newLargeBuffer() {
    return ByteBuffer.allocateDirect(BatchHeader.MAX_PAYLOAD_BYTES);
  }

  /** The next batch, valid until the one after it; null after the last. */
  @Nullable Batch next() throws IOException {
    while (next < order.length) {
      int entry = order[next++];
      if (next > 1 && index.isSame(entry, order[next - 2])) {
        duplicateRecords += index.records(entry);
      } else {
        return read(entry);
      }
    }
    return null;
  }

  /** Records dropped so far, since their batch had come before. */
  long duplicateRecords() {
    return duplicateRecords;
  }

  private Batch read(int entry) throws IOException {
    return new Batch(
        index.topic(entry),
        index.labels(entry),
        index.delimiter(entry),
        index.first(entry),
        index.records(entry),
        payload(entry));
  }

  private ByteBuffer payload(int entry) throws IOException {
    int length = index.bytes(entry);
    int position = index.position(entry);
    DownloadFiles.Download file = files.get(index.file(entry));
    if (length > WINDOW_BYTES) {
      file.read(large.clear().limit(length), position);
      return large.flip();
    }
    Window window = windows[index.file(entry)];
    if (window == null) {
      window = new Window();
      windows[index.file(entry)] = window;
    }
    return window.at(file, position, length);
  }

  private static final class Window {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(WINDOW_BYTES).limit(0);
    private long from;

    ByteBuffer at(DownloadFiles.Download spool, int position, int length) throws IOException {
      if (position < from || position + length > from + bytes.limit()) {
        long left = spool.size() - position;
        bytes.clear().limit((int) Math.min(WINDOW_BYTES, left));
        spool.read(bytes, position);
        bytes.flip();
        from = position;
      }
      return bytes.slice((int) (position - from), length);
    }
  }
}
