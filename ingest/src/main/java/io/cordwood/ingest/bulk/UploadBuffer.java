package io.cordwood.ingest.bulk;

import io.cordwood.common.segment.BatchHeader;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import io.cordwood.ingest.sender.HttpRequestLine;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The part of an upload that is in memory: what was received and not written yet, always room for a
 * whole batch. For the upload's thread.
 */
final class UploadBuffer {
  static final int BYTES = 2 * BatchHeader.MAX_BATCH_BYTES;

  private static final int READ_BYTES = 256 << 10;
  private static final long WORTH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final UploadSource source;
  private final UploadPace pace;
  private final long maxBytes;
  private final byte[] array;
  private final ByteBuffer unread;
  private long received;
  private boolean ended;

  /**
   * @param array of {@link #BYTES}; lent
   */
  UploadBuffer(UploadSource source, IngestOptions.Bulk bulk, byte[] array) {
    this.source = source;
    this.pace = new UploadPace(bulk);
    this.maxBytes = bulk.maxBytes();
    this.array = array;
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

  /** Receives until there is no room, or no more comes. */
  void fill() throws UploadRefusedException {
    unread.compact();
    while (unread.hasRemaining() && !ended) {
      int count = read(unread.position(), Math.min(unread.remaining(), READ_BYTES));
      ended = count < 0;
      int more = Math.max(count, 0);
      unread.position(unread.position() + more);
      received += more;
      if (source.fromSocket() && received <= HttpRequestLine.MAX_BYTES) {
        refuseHttp((int) received);
      }
      if (received > maxBytes) {
        throw new UploadRefusedException(
            Reason.TOO_LARGE, "expected an upload of at most " + maxBytes + " bytes, found more");
      }
    }
    unread.flip();
  }

  /** At once, since its sender waits for an answer before it ends the upload. */
  private void refuseHttp(int bytes) throws UploadRefusedException {
    try {
      var _ = HttpRequestLine.isData(Arrays.copyOf(array, bytes), ended);
    } catch (RefusedException e) {
      throw new UploadRefusedException(Reason.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  /** Not reading makes the sender slower. */
  private void await(long nanos) {
    if (nanos >= WORTH_NANOS) {
      source.rights().throttled();
      LockSupport.parkNanos(nanos);
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
          await(source.rights().nanosToWait(count));
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
