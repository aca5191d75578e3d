package io.cordwood.common.http.client;

import io.cordwood.common.http.WaitSignal;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call to a peer as a stream of HTTP/2: what the caller sends, and what has come of the answer.
 * What the caller has not read yet is at most the stream's window. The caller is one thread at a
 * time; what comes is put in by the connection's event loop.
 */
final class PeerStream {
  private static final int OK = 200;
  private static final int DECIMAL_DIGITS = 3;

  /** Bytes given to the connection and not sent yet, beyond which the caller waits. */
  private static final int MAX_UNSENT_BYTES = 256 << 10;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final PeerConnection connection;
  private final CallWindow window;
  private final WaitSignal signal = new WaitSignal();
  private final Queue<ByteBuf> received = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unsent = new AtomicInteger();
  private volatile Map<String, String> fields = Map.of();
  private volatile int status;
  private volatile boolean sentAll;
  private volatile boolean asked;
  private volatile boolean ended;
  private volatile boolean closed;
  private volatile @Nullable IOException failure;

  /** The number on the wire; 0 before it has one. For the event loop. */
  private int id;

  /**
   * @param window for the answer's body that may wait here
   * @param whole whether all of the call is sent at once
   */
  PeerStream(PeerConnection connection, CallWindow window, boolean whole) {
    this.connection = connection;
    this.window = window;
    this.sentAll = whole;
  }

  // ---- the event loop's side

  void begunAs(int streamId) {
    id = streamId;
  }

  int id() {
    return id;
  }

  void headers(Http2Headers headers, boolean end) throws IOException {
    Map<String, String> merged = new TreeMap<>(fields);
    int code = 0;
    for (Map.Entry<CharSequence, CharSequence> field : headers) {
      String name = field.getKey().toString();
      if (name.equals(":status")) {
        code = status(field.getValue().toString());
      } else {
        merged.merge(name, field.getValue().toString(), (one, two) -> one + ", " + two);
      }
    }
    if (status == 0 && code == 0) {
      throw new IOException("expected the status of an answer, found none");
    }
    if (code != 0 && code < OK) {
      asked = true; // an answer is to come, after the body
    } else {
      fields = merged;
      status = status == 0 ? code : status;
    }
    if (end) {
      ended = true;
    }
    signal.wake();
  }

  private static int status(String text) throws IOException {
    if (text.length() == DECIMAL_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Integer.parseInt(text);
    }
    throw new IOException("expected the status of an answer, found \"" + text + "\"");
  }

  /** Takes over a piece of the body. */
  void data(ByteBuf piece, boolean end) {
    if (closed || !piece.isReadable()) {
      piece.release();
    } else {
      received.add(piece);
      if (closed) {
        releaseAll();
      }
    }
    if (end) {
      ended = true;
    }
    signal.wake();
  }

  void sent(int bytes) {
    unsent.addAndGet(-bytes);
    signal.wake();
  }

  /** Nothing more comes; does nothing if the answer was whole. */
  void fail(IOException why) {
    if (!ended && failure == null) {
      failure = why;
    }
    signal.wake();
  }

  // ---- the caller's side

  /**
   * Waits for the head of the answer.
   *
   * @throws HttpTimeoutException if it does not come in time
   */
  void awaitHead(Duration longest) throws IOException {
    if (!await(() -> status != 0, longest.toNanos())) {
      throw new HttpTimeoutException("no answer within " + longest.toMillis() + " ms");
    }
  }

  /** Waits until the peer asks for the body, or has answered without. */
  void awaitLeaveToSend(Patience patience) throws IOException {
    awaitWith(patience, () -> asked || status != 0);
  }

  /** Waits for the head of the answer to a body that is sent. */
  void awaitHead(Patience patience) throws IOException {
    awaitWith(patience, () -> status != 0);
  }

  /** How long a wait for the peer to take a body is worth it. */
  record Patience(BooleanSupplier goOn, long endNanos) {
    private boolean isOver() {
      return !goOn.getAsBoolean() || System.nanoTime() - endNanos > 0;
    }
  }

  /** Sends a piece of the body when there is room; none once the peer has begun to answer. */
  void send(byte[] piece, boolean last, Patience patience) throws IOException {
    if (unsent.get() >= MAX_UNSENT_BYTES) {
      connection.ranDry();
      awaitWith(patience, () -> unsent.get() < MAX_UNSENT_BYTES || status != 0);
    }
    if (status == 0) {
      unsent.addAndGet(piece.length);
      connection.send(this, piece, last);
      sentAll = last;
    }
  }

  private void awaitWith(Patience patience, BooleanSupplier condition) throws IOException {
    while (!await(condition, LOOK_NANOS)) {
      if (patience.isOver()) {
        throw new HttpTimeoutException("nothing went on for too long, broken off");
      }
    }
  }

  /** False if time is up; fails if nothing more can come. */
  private boolean await(BooleanSupplier condition, long nanos) throws IOException {
    boolean came;
    try {
      came = signal.await(() -> condition.getAsBoolean() || failure != null, nanos);
    } catch (InterruptedIOException e) {
      Thread.currentThread().interrupt();
      throw e;
    }
    IOException why = failure;
    if (came && why != null && !condition.getAsBoolean()) {
      throw why instanceof PeerRefusal refusal
          ? refusal.again()
          : new IOException(why.getMessage(), why);
    }
    return came;
  }

  int status() {
    return status;
  }

  boolean isAnswered() {
    return status != 0;
  }

  /** Headers by their names in small letters; once the body is read to its end, trailers too. */
  Map<String, String> fields() {
    return fields;
  }

  int read(byte[] bytes, int offset, int length, Duration longest) throws IOException {
    ByteBuf piece = length == 0 ? null : next(longest);
    if (piece == null) {
      return length == 0 ? 0 : -1;
    }
    int count = Math.min(length, piece.readableBytes());
    piece.readBytes(bytes, offset, count);
    taken(piece, count);
    return count;
  }

  /** Writes the next bytes of the body; returns how many, -1 at the end. */
  int writeNext(WritableByteChannel target, long most, Duration longest) throws IOException {
    ByteBuf piece = next(longest);
    if (piece == null) {
      return -1;
    }
    int count = (int) Math.min(most, piece.readableBytes());
    for (ByteBuffer part : piece.nioBuffers(piece.readerIndex(), count)) {
      while (part.hasRemaining()) {
        target.write(part);
      }
    }
    piece.skipBytes(count);
    taken(piece, count);
    return count;
  }

  /** The piece to read from, which stays in the queue; null at the end. */
  private @Nullable ByteBuf next(Duration longest) throws IOException {
    ByteBuf piece = received.peek();
    if (piece != null) {
      return piece;
    }
    if (!await(() -> !received.isEmpty() || ended || closed, longest.toNanos())) {
      throw new HttpTimeoutException("received nothing for " + longest.toMillis() + " ms");
    }
    return received.peek();
  }

  private void taken(ByteBuf piece, int count) {
    if (!piece.isReadable()) {
      received.poll();
      piece.release();
    }
    if (window.read(count)) {
      giveCredit();
    }
  }

  private void giveCredit() {
    int read = window.takeRead();
    if (read > 0 && !ended) {
      connection.consumed(this, read, window.takeGrowth());
    }
  }

  int available() {
    ByteBuf piece = received.peek();
    return piece == null ? 0 : piece.readableBytes();
  }

  /** Ends the caller's waits, whatever thread says so; what is here stays the caller's. */
  void abort(String why) {
    fail(new IOException(why));
    connection.ended(this);
  }

  /** Gives the call up, if it is not over, and releases what was not read. */
  void close() {
    if (!closed) {
      closed = true;
      fail(new EOFException("closed"));
      if (!ended || !sentAll || unsent.get() > 0) {
        connection.ended(this);
      }
      releaseAll();
      window.release();
    }
  }

  private void releaseAll() {
    for (ByteBuf piece = received.poll(); piece != null; piece = received.poll()) {
      piece.release();
    }
  }
}
