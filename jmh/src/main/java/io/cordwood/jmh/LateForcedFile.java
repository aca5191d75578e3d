package io.cordwood.jmh;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Segments as in fast mode: written by one thread, and each forced as a whole by another when it is
 * full. The writer waits when the other is still at the segment before. Files are deleted once they
 * were forced.
 */
final class LateForcedFile implements AutoCloseable {
  private final Path folder;
  private final ExecutorService flusher =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("flusher").factory());
  private Path path;
  private WritableFile file;
  private @Nullable Future<?> flushing;
  private int files;

  LateForcedFile(Path folder) throws IOException {
    this.folder = folder;
    this.path = nextPath();
    this.file = Filesystem.real().create(path);
  }

  private Path nextPath() {
    return folder.resolve("unforced" + files++);
  }

  /** Writes all; durable some time after the segment is full. */
  void write(ByteBuffer buffer) throws IOException {
    if (file.size() + buffer.remaining() > SegmentFile.SEGMENT_BYTES) {
      next();
    }
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
  }

  private void next() throws IOException {
    awaitFlusher();
    WritableFile full = file;
    Path fullPath = path;
    flushing =
        flusher.submit(() -> {
          try (full) {
            full.force();
          }
          Filesystem.real().delete(fullPath);
          return null;
        });
    path = nextPath();
    file = Filesystem.real().create(path);
  }

  private void awaitFlusher() throws IOException {
    try {
      if (flushing != null) {
        flushing.get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException("expected a segment to be forced", e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      awaitFlusher();
    } finally {
      flusher.shutdown();
      file.close();
      Filesystem.real().delete(path);
    }
  }
}
