package io.cordwood.common.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * The body of a peer's answer, as a stream and as a source for a channel. At most {@link
 * #AHEAD_LISTS} lists of buffers wait here; beyond that the peer's sending is slowed down. For one
 * thread at a time; closing it before its end tells the peer to stop.
 */
public final class PeerBody extends InputStream {
  private static final int AHEAD_LISTS = 16;

  private final Duration readTimeout;
  private final ConcurrentLinkedQueue<List<ByteBuffer>> received = new ConcurrentLinkedQueue<>();
  private final WaitSignal signal = new WaitSignal();
  private volatile @Nullable Subscription subscription;
  private volatile @Nullable Throwable failure;
  private volatile boolean complete;
  private volatile boolean closed;
  private List<ByteBuffer> current = List.of();
  private int index;

  PeerBody(Duration readTimeout) {
    this.readTimeout = readTimeout;
  }

  @Override
  public int read() throws IOException {
    ByteBuffer buffer = next();
    return buffer == null ? -1 : buffer.get() & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    ByteBuffer buffer = next();
    if (buffer == null) {
      return -1;
    }
    int read = Math.min(length, buffer.remaining());
    buffer.get(bytes, offset, read);
    return read;
  }

  /**
   * Writes the rest of the body to a channel, without copying it on the way.
   *
   * @return bytes written
   * @throws IOException also if there are more than {@code maxBytes}, of which none more is written
   */
  public long transferTo(WritableByteChannel target, long maxBytes) throws IOException {
    long written = 0;
    for (ByteBuffer buffer = next(); buffer != null; buffer = next()) {
      if (written + buffer.remaining() > maxBytes) {
        close();
        throw new IOException("expected at most " + maxBytes + " bytes, found more");
      }
      written += target.write(buffer);
    }
    return written;
  }

  /** The buffer to read from, which has bytes; null at the end. */
  private @Nullable ByteBuffer next() throws IOException {
    while (true) {
      for (; index < current.size(); index++) {
        if (current.get(index).hasRemaining()) {
          return current.get(index);
        }
      }
      List<ByteBuffer> list = nextList();
      if (list == null) {
        return null;
      }
      current = list;
      index = 0;
    }
  }

  private @Nullable List<ByteBuffer> nextList() throws IOException {
    if (closed) {
      throw new IOException("the body is closed");
    }
    List<ByteBuffer> list = received.poll();
    if (list == null) {
      awaitMore();
      list = received.poll();
    }
    Subscription flow = subscription;
    if (list != null && flow != null) {
      flow.request(1);
    }
    return list;
  }

  private void awaitMore() throws IOException {
    boolean some =
        signal.await(
            () -> !received.isEmpty() || complete || failure != null, readTimeout.toNanos());
    if (!some) {
      close();
      throw new HttpTimeoutException("received nothing for " + readTimeout.toMillis() + " ms");
    }
    Throwable cause = failure;
    if (cause != null && received.isEmpty()) {
      throw new IOException("the answer breaks off: " + cause.getMessage(), cause);
    }
  }

  @Override
  public void close() {
    closed = true;
    Subscription flow = subscription;
    if (flow != null && !complete) {
      flow.cancel();
    }
    received.clear();
  }

  /** The subscriber that the HTTP client feeds; the body is at hand as soon as the headers are. */
  BodySubscriber<PeerBody> subscriber() {
    return new Feed();
  }

  private final class Feed implements BodySubscriber<PeerBody> {
    @Override
    public CompletionStage<PeerBody> getBody() {
      return CompletableFuture.completedStage(PeerBody.this);
    }

    @Override
    public void onSubscribe(Subscription flow) {
      subscription = flow;
      if (closed) {
        flow.cancel();
      } else {
        flow.request(AHEAD_LISTS);
      }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      if (!closed) {
        received.add(buffers);
        signal.wake();
      }
    }

    @Override
    public void onError(Throwable cause) {
      failure = cause;
      signal.wake();
    }

    @Override
    public void onComplete() {
      complete = true;
      signal.wake();
    }
  }
}
