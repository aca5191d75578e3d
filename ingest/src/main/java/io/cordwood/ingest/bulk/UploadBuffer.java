package io.cordwood.ingest.bulk;

import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import io.cordwood.ingest.sender.ForeignStart;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * The part of an upload that is in memory: what was received and not written yet, always room for a
 * whole batch. For the upload's thread.
 */
final class UploadBuffer implements AutoCloseable {
  private static final int READ_BYTES = 256 << 10;
  private static final long WORTH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final UploadSource source;
  private final UploadPace pace;
  private final long maxBytes;
  private final UploadTurns turns;
  private byte[] array;
  private ByteBuffer unread;
  private boolean hasTurn;
  private long owedNanos;
  private long owedFrom;
  private long received;
  private boolean ended;

  /** Waits until its token may send, and for its turn. */
  UploadBuffer(UploadSource source, IngestOptions.Bulk bulk, UploadTurns turns)
      throws UploadRefusedException {
    this.source = source;
    this.turns = turns;
    long owed = source.rights().nanosToWait(0);
    if (owed >= WORTH_NANOS) {
      source.rights().throttled();
    }
    this.array = turns.begin(source, owed);
    this.hasTurn = true;
    this.pace = new UploadPace(bulk);
    this.maxBytes = bulk.maxBytes();
    this.unread = ByteBuffer.wrap(array).limit(0);
  }

  /**
   * The received bytes that are not taken yet; whoever takes bytes moves the position past them.
   */
  ByteBuffer unread() {
    return unread;
  }

  /** Whether nothing follows the unread bytes. */
  boolean ended() {
    return ended;
  }

  /** Bytes received so far. */
  long received() {
    return received;
  }

  /** The offset of the first unread byte in the upload. */
  long offset() {
    return received - unread.remaining();
  }

  /**
   * Receives until there is no room, no more comes, or so much came that its token has to wait: for
   * that the next call waits, so that what is whole is taken before.
   */
  void fill() throws UploadRefusedException {
    unread.compact();
    if (hasToPause()) {
      pause();
    }
    while (unread.hasRemaining() && !ended && !hasToPause()) {
      int count = read(unread.position(), Math.min(unread.remaining(), READ_BYTES));
      ended = count < 0;
      int more = Math.max(count, 0);
      unread.position(unread.position() + more);
      received += more;
      if (received <= ForeignStart.MAX_BYTES) {
        refuseForeign(ForeignStart.of(array, 0, (int) received));
      }
      if (received > maxBytes) {
        throw new UploadRefusedException(
            Reason.TOO_LARGE, "expected an upload of at most " + maxBytes + " bytes, found more");
      }
    }
    unread.flip();
  }

  /** At once, since its sender waits for an answer before it ends the upload. */
  private void refuseForeign(byte[] start) throws UploadRefusedException {
    try {
      var _ =
          source.fromSocket()
              ? ForeignStart.isData(start, ended)
              : ForeignStart.isPlain(start, ended);
    } catch (RefusedException e) {
      throw new UploadRefusedException(Reason.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  /** Only once so much came that batches of it are not small. */
  private boolean hasToPause() {
    return owedNanos >= WORTH_NANOS && received - owedFrom >= READ_BYTES;
  }

  /** Not reading makes the sender slower. */
  private void pause() throws UploadRefusedException {
    source.rights().throttled();
    int kept = unread.position();
    long start = System.nanoTime();
    hasTurn = false;
    array = turns.pause(source, array, kept, owedNanos);
    hasTurn = true;
    unread = ByteBuffer.wrap(array).position(kept);
    owedNanos = 0;
    owedFrom = received;
    pace.paused(System.nanoTime() - start);
  }

  @Override
  public void close() {
    if (hasTurn) {
      hasTurn = false;
      turns.end(array);
    }
  }

  SenderRights rights() {
    return source.rights();
  }

  private int read(int at, int length) throws UploadRefusedException {
    while (true) {
      try {
        int count = source.bytes().read(array, at, length);
        if (count > 0) {
          pace.received(count);
          owedNanos = source.rights().nanosToWait(count);
        }
        return count;
      } catch (SocketTimeoutException e) {
        pace.received(0);
      } catch (IOException e) {
        throw new UploadRefusedException(
            Reason.CUT,
            "expected the end of the upload, found its sender gone after %d bytes"
                .formatted(received));
      }
      if (source.closing().getAsBoolean()) {
        throw new UploadRefusedException(Reason.CLOSING, "the node is being closed");
      }
    }
  }
}
