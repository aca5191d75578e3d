package io.cordwood.ingest.bulk;

import io.cordwood.common.wire.BadPreambleException;
import io.cordwood.common.wire.Opening;
import io.cordwood.common.wire.Preamble;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.bulk.UploadRefusedException.Reason;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The first bytes of an upload over TCP, of which its token is read before the upload waits for its
 * turn: nobody without one takes a turn, or more memory than that. For the upload's thread.
 */
final class UploadOpening {
  private final Socket socket;
  private final Intake intake;
  private final BooleanSupplier closing;
  private final SenderRights rights;

  UploadOpening(Socket socket, Intake intake, BooleanSupplier closing) {
    this.socket = socket;
    this.intake = intake;
    this.closing = closing;
    String address = socket.getInetAddress().getHostAddress();
    this.rights = new SenderRights(intake, address, "bulk port");
  }

  /**
   * All of the upload, these bytes included.
   *
   * @throws UploadRefusedException if its sender may not send
   */
  UploadSource source() throws IOException, UploadRefusedException {
    var bytes = new PushbackInputStream(socket.getInputStream(), Preamble.MAX_BYTES);
    if (intake.admission().asks()) {
      show(bytes);
    }
    return new UploadSource(bytes, closing, true, rights);
  }

  private void show(PushbackInputStream bytes) throws IOException, UploadRefusedException {
    byte[] start = start(bytes);
    try {
      Optional<String> token =
          Opening.look(start, true) instanceof Opening.Begun begun
              ? begun.preamble().token()
              : Optional.empty();
      rights.show(token);
    } catch (BadPreambleException e) {
      throw new UploadRefusedException(Reason.MALFORMED, String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      throw new UploadRefusedException(
          e.reason() == RejectReason.TOKEN ? Reason.TOKEN : Reason.MALFORMED,
          String.valueOf(e.getMessage()));
    }
    bytes.unread(start);
  }

  /** Up to the first line's end, or as many as a preamble may have. */
  private byte[] start(PushbackInputStream bytes) throws IOException, UploadRefusedException {
    byte[] start = new byte[Preamble.MAX_BYTES];
    int count = 0;
    long end = System.nanoTime() + intake.admission().patience().toNanos();
    while (count < start.length) {
      try {
        int next = bytes.read();
        if (next < 0) {
          break;
        }
        start[count++] = (byte) next;
        if (next == '\n') {
          break;
        }
      } catch (SocketTimeoutException e) {
        if (closing.getAsBoolean()) {
          throw new UploadRefusedException(Reason.CLOSING, "the node is being closed");
        }
      }
      if (System.nanoTime() - end > 0) {
        throw new UploadRefusedException(
            Reason.TOKEN, String.valueOf(rights.tooLate().getMessage()));
      }
    }
    return Arrays.copyOf(start, count);
  }
}
