package io.cordwood.common.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A response's body as a stream: gathers what is written into chunks of at most {@link
 * ResponseMemoryBudget#USUAL_BYTES}, or more of a file that goes to a node, and hands over each one
 * that is full or flushed. For one thread at a time.
 */
final class BodyOutput extends OutputStream {
  private static final int FIRST_BYTES = 1 << 10;

  private final Response response;
  private final ByteBufAllocator allocator;
  private final boolean discard;
  private @Nullable ByteBuf chunk;
  private long written;
  private boolean closed;

  /**
   * @param discard whether the client gets no body, as for HEAD; what is written is only counted
   */
  BodyOutput(Response response, ByteBufAllocator allocator, boolean discard) {
    this.response = response;
    this.allocator = allocator;
    this.discard = discard;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    checkOpen(length);
    int end = discard ? offset : offset + length;
    for (int from = offset; from < end; ) {
      ByteBuf buffer = room(ResponseMemoryBudget.USUAL_BYTES, FIRST_BYTES);
      int piece = Math.min(end - from, buffer.maxWritableBytes());
      buffer.writeBytes(bytes, from, piece);
      from += piece;
      sendIfFull(buffer);
    }
  }

  /** Copies a range of a file, chunk by chunk; the file's position is left alone. */
  void writeFile(FileChannel file, long offset, long length) throws IOException {
    checkOpen(length);
    long end = discard ? offset : offset + length;
    for (long from = offset; from < end; ) {
      int wanted = (int) Math.min(end - from, response.largestPiece());
      ByteBuf buffer = room(Math.max(wanted, ResponseMemoryBudget.USUAL_BYTES), end - from);
      int piece = (int) Math.min(end - from, buffer.maxWritableBytes());
      int read = buffer.writeBytes(file, from, piece);
      if (read <= 0) {
        throw new IOException("file ends at " + from + ", expected to read up to " + end);
      }
      from += read;
      sendIfFull(buffer);
    }
  }

  private void checkOpen(long length) throws IOException {
    if (closed) {
      throw new IOException("the body is closed");
    }
    if (discard && response.clientGone()) {
      throw new ClientGoneException("the client left");
    }
    written += length;
    response.checkLength(written);
  }

  /**
   * A chunk that is not full yet.
   *
   * @param wantedBytes of a new one when it is full; it has fewer where memory is short
   * @param comingBytes for which it has room at once
   */
  private ByteBuf room(int wantedBytes, long comingBytes) {
    if (chunk == null) {
      int most = response.takeMemory(wantedBytes);
      chunk = allocator.directBuffer((int) Math.min(comingBytes, most), most);
    }
    return chunk;
  }

  private void sendIfFull(ByteBuf buffer) throws IOException {
    if (buffer.maxWritableBytes() == 0) {
      flush();
    }
  }

  /** Sends what was written so far, and the status and headers before it. */
  @Override
  public void flush() throws IOException {
    if (!closed) {
      response.sendPart();
    }
  }

  /** Ends the answer. */
  @Override
  public void close() throws IOException {
    if (!closed) {
      response.repeatTrailers(this);
      closed = true;
      response.sendLast();
    }
  }

  /** The unsent chunk, now the caller's, if there is one. */
  @Nullable ByteBuf take() {
    ByteBuf taken = chunk;
    chunk = null;
    return taken;
  }

  long written() {
    return written;
  }

  /** Forgets what was written, none of which was sent, to begin anew. */
  void reset() {
    discard();
    written = 0;
    closed = false;
  }

  /** Drops what was not sent. */
  void discard() {
    closed = true;
    ByteBuf rest = take();
    if (rest != null) {
      rest.release();
      response.giveBackMemory();
    }
  }
}
