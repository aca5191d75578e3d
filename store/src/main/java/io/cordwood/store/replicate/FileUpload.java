package io.cordwood.store.replicate;

import io.cordwood.common.file.ByteSource;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A file on its way into one request, read piece by piece as the peer takes it, and the time since
 * it last took one. Read by one thread of the HTTP client at a time.
 */
final class FileUpload implements AutoCloseable, Iterator<byte[]> {
  private static final int PIECE_BYTES = 256 << 10;

  private final ByteSource bytes;
  private final Closeable file;
  private final long size;
  private volatile long progressNanos = System.nanoTime();
  private long sent;

  /**
   * @param file closed with this
   */
  <S extends ByteSource & Closeable> FileUpload(S file) throws IOException {
    this.bytes = file;
    this.file = file;
    this.size = file.size();
  }

  long size() {
    return size;
  }

  /** How long ago the last piece was taken. For any thread. */
  Duration sinceProgress() {
    return Duration.ofNanos(System.nanoTime() - progressNanos);
  }

  @Override
  public boolean hasNext() {
    return sent < size;
  }

  @Override
  public byte[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    byte[] piece = new byte[(int) Math.min(PIECE_BYTES, size - sent)];
    try {
      bytes.read(ByteBuffer.wrap(piece), sent);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sent += piece.length;
    progressNanos = System.nanoTime();
    return piece;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
