package io.cordwood.common.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of a call, sent piece by piece as the peer takes it, for as long as it is worth waiting.
 * A thread of its own looks after that, since a write to a socket waits without a limit. For the
 * caller's thread; to be closed when the head of the answer is here.
 */
final class PeerUpload implements AutoCloseable {
  private static final long LOOK_MILLIS = 200;

  private final Iterator<byte[]> pieces;
  private final BooleanSupplier goOn;
  private final long endNanos;
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable Http1Connection connection;
  private boolean brokenOff;

  private PeerUpload(Iterator<byte[]> pieces, BooleanSupplier goOn, Duration longest) {
    this.pieces = pieces;
    this.goOn = goOn;
    this.endNanos = System.nanoTime() + longest.toNanos();
  }

  /**
   * A body whose time begins now.
   *
   * @param goOn asked some times a second by another thread
   */
  static PeerUpload begin(Iterator<byte[]> pieces, BooleanSupplier goOn, Duration longest) {
    var upload = new PeerUpload(pieces, goOn, longest);
    Thread.ofVirtual().name("upload").start(upload::watch);
    return upload;
  }

  private void watch() {
    try {
      while (!over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (!goOn.getAsBoolean() || System.nanoTime() - endNanos > 0) {
          breakOff();
          return;
        }
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void breakOff() {
    brokenOff = true;
    if (connection != null) {
      connection.abort();
    }
  }

  synchronized boolean isBrokenOff() {
    return brokenOff;
  }

  /** From now on this connection is aborted when it is not worth waiting any more. */
  synchronized void use(Http1Connection next) throws IOException {
    connection = next;
    if (brokenOff) {
      throw new IOException("broken off");
    }
  }

  /** Sends all pieces, or those until the peer begins to answer. */
  void send(Http1Connection to) throws IOException {
    while (pieces.hasNext() && !to.isAnswering()) {
      to.send(pieces.next());
    }
  }

  @Override
  public void close() {
    over.countDown();
  }
}
