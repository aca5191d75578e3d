package io.cordwood.common.http.server;

import io.cordwood.common.http.WaitSignal;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.GatheringByteChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A request's body as a stream. The event loop puts in what it received and stops reading the
 * socket while more than {@link #HIGH_BYTES} wait, so a slow handler slows the client; at most that
 * and one read of the socket are held.
 *
 * <p>The event loop calls {@link #offer}, {@link #complete}, {@link #fail}, {@link #wantsMore}; the
 * handler's thread the rest.
 */
final class BodyInput extends InputStream {
  static final int HIGH_BYTES = 256 << 10;
  private static final int LOW_BYTES = HIGH_BYTES / 2;

  private final long maxBytes;
  private final Duration timeout;
  private final Runnable beforeFirstWait;
  private final Runnable resume;
  private final ConcurrentLinkedQueue<ByteBuf> received = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingBytes = new AtomicInteger();
  private final WaitSignal signal = new WaitSignal();
  private volatile boolean complete;
  private volatile boolean paused;
  private volatile boolean closed;
  private volatile @Nullable Exception failure;
  private long total;
  private @Nullable ByteBuf current;
  private boolean waited;

  /**
   * @param maxBytes longest body; more fails the stream with a 413
   * @param timeout longest wait for the next bytes
   * @param beforeFirstWait run once, before the stream waits for the first time
   * @param resume makes the event loop read again after {@link #wantsMore} was false
   */
  BodyInput(long maxBytes, Duration timeout, Runnable beforeFirstWait, Runnable resume) {
    this.maxBytes = maxBytes;
    this.timeout = timeout;
    this.beforeFirstWait = beforeFirstWait;
    this.resume = resume;
  }

  /** Takes over a received piece. */
  void offer(ByteBuf piece) {
    int length = piece.readableBytes();
    total += length;
    if (total > maxBytes) {
      fail(tooLong(maxBytes));
    }
    if (length == 0 || failure != null || closed) {
      piece.release();
      return;
    }
    waitingBytes.addAndGet(length);
    received.add(piece);
    if (closed) {
      releaseAll();
    }
    signal.wake();
  }

  static HttpError tooLong(long maxBytes) {
    return new HttpError(
        413,
        maxBytes == 0
            ? "body: expected none for this path and method"
            : "body: expected at most " + maxBytes + " bytes, found more");
  }

  void complete() {
    complete = true;
    signal.wake();
  }

  /** Ends the stream, unless all has come: then a client need not wait for its answer. */
  void fail(Exception cause) {
    if (failure == null && !complete) {
      failure = cause;
    }
    signal.wake();
  }

  /** Whether the event loop should go on reading; if not, it is told when it should. */
  boolean wantsMore() {
    if (closed || waitingBytes.get() < HIGH_BYTES) {
      return true;
    }
    paused = true;
    // The handler may have taken everything just before it could see that reading paused.
    if (waitingBytes.get() <= LOW_BYTES) {
      paused = false;
      return true;
    }
    return false;
  }

  boolean isComplete() {
    return complete;
  }

  @Override
  public int read() throws IOException {
    ByteBuf piece = next();
    if (piece == null) {
      return -1;
    }
    int value = piece.readUnsignedByte();
    taken(1);
    return value;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    ByteBuf piece = next();
    if (piece == null) {
      return -1;
    }
    int read = Math.min(length, piece.readableBytes());
    piece.readBytes(bytes, offset, read);
    taken(read);
    return read;
  }

  @Override
  public int available() {
    return waitingBytes.get();
  }

  /**
   * Writes the rest of the body to a channel, without a copy on the way. Pieces share buffers that
   * the event loop still adds to, so a view of the piece is written: {@link ByteBuf#readBytes}
   * would move positions that both threads use, and the event loop would write in the wrong place.
   */
  long transferTo(GatheringByteChannel target) throws IOException {
    long written = 0;
    for (ByteBuf piece = next(); piece != null; piece = next()) {
      int length = target.write(piece.nioBuffer());
      piece.skipBytes(length);
      written += length;
      taken(length);
    }
    return written;
  }

  /** The piece to read from, which has bytes; null at the end. */
  private @Nullable ByteBuf next() throws IOException {
    ByteBuf piece = current;
    if (piece != null && piece.isReadable()) {
      return piece;
    }
    if (piece != null) {
      piece.release();
    }
    current = received.poll();
    if (current == null) {
      awaitMore();
      current = received.poll();
    }
    return current;
  }

  private void awaitMore() throws IOException {
    if (!waited && !complete) {
      waited = true;
      beforeFirstWait.run();
    }
    boolean some =
        signal.await(() -> !received.isEmpty() || complete || failure != null, timeout.toNanos());
    if (!some) {
      throw new HttpError(408, "body: received nothing for " + timeout.toSeconds() + " s");
    }
    if (received.isEmpty()) {
      throwFailure();
    }
  }

  private void throwFailure() throws IOException {
    switch (failure) {
      case null -> {}
      case HttpError error -> throw error;
      case Exception e -> throw new ClientGoneException(String.valueOf(e.getMessage()));
    }
  }

  private void taken(int bytes) {
    int left = waitingBytes.addAndGet(-bytes);
    if (paused && left <= LOW_BYTES) {
      paused = false;
      resume.run();
    }
  }

  /** Drops what is left, and what may still come. For the handler's thread. */
  void discard() {
    closed = true;
    releaseAll();
    if (current != null) {
      current.release();
      current = null;
    }
    if (paused) {
      paused = false;
      resume.run();
    }
  }

  private void releaseAll() {
    for (ByteBuf piece = received.poll(); piece != null; piece = received.poll()) {
      piece.release();
    }
  }
}
