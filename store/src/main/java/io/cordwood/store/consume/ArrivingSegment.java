package io.cordwood.store.consume;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * An ingest segment that another node is sending: read in order, its bytes come from the connection
 * and are kept in a file on their way; what is read again comes from that file. So a segment is
 * checked while it arrives, and not read again for it. Buffers must have an array. One thread.
 */
final class ArrivingSegment implements ByteSource {
  private final InputStream body;
  private final WritableFile target;
  private final ReadableFile kept;
  private final long size;
  private long received;

  /**
   * @param target gets what is received, from the file's start; owned by the caller
   * @param kept the same file; owned by the caller
   * @param size bytes that the segment must have
   */
  ArrivingSegment(InputStream body, WritableFile target, ReadableFile kept, long size) {
    this.body = body;
    this.target = target;
    this.kept = kept;
    this.size = size;
  }

  @Override
  public long size() {
    return size;
  }

  /** Reads from what was received, and after it; no byte may be left out. */
  @Override
  public void read(ByteBuffer buffer, long position) throws IOException {
    if (position > received) {
      throw new IllegalArgumentException(
          "expected a position of at most %d, found %d".formatted(received, position));
    }
    int end = buffer.limit();
    int again = (int) Math.min(buffer.remaining(), received - position);
    kept.read(buffer.limit(buffer.position() + again), position);
    receive(buffer.limit(end));
  }

  private void receive(ByteBuffer buffer) throws IOException {
    ByteBuffer news = buffer.duplicate();
    while (buffer.hasRemaining()) {
      int at = buffer.arrayOffset() + buffer.position();
      int count = body.read(buffer.array(), at, buffer.remaining());
      if (count < 0) {
        throw new EOFException(expected(received + buffer.position() - news.position()));
      }
      buffer.position(buffer.position() + count);
    }
    received += news.remaining();
    while (news.hasRemaining()) {
      target.write(news);
    }
  }

  /**
   * Tells that all was read.
   *
   * @throws IOException if not, or if more than that is sent
   */
  void end() throws IOException {
    if (received < size || body.read() >= 0) {
      throw new IOException(expected(received < size ? received : "more"));
    }
  }

  private String expected(Object found) {
    return "expected a segment of %d bytes, found %s".formatted(size, found);
  }
}
