package io.cordwood.common.http.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.BooleanSupplier;

/**
 * The body of a call, sent piece by piece as the peer takes it, for as long as it is worth waiting.
 * For the caller's thread.
 */
final class PeerUpload {
  private final Iterator<byte[]> pieces;
  private final long bytes;
  private final PeerStream.Patience patience;
  private boolean begun;

  /**
   * A body whose time begins now.
   *
   * @param bytes of all pieces
   * @param goOn asked some times a second
   */
  PeerUpload(Iterator<byte[]> pieces, long bytes, BooleanSupplier goOn, Duration longest) {
    this.pieces = pieces;
    this.bytes = bytes;
    this.patience = new PeerStream.Patience(goOn, System.nanoTime() + longest.toNanos());
  }

  long bytes() {
    return bytes;
  }

  /** Whether pieces were taken, so that they cannot be sent again. */
  boolean hasBegun() {
    return begun;
  }

  /** Sends all pieces, or those until the peer begins to answer; returns when it has answered. */
  void send(PeerStream call) throws IOException {
    call.awaitLeaveToSend(patience);
    while (!call.isAnswered() && pieces.hasNext()) {
      begun = true;
      byte[] piece = pieces.next();
      call.send(piece, !pieces.hasNext(), patience);
    }
    call.awaitHead(patience);
  }
}
