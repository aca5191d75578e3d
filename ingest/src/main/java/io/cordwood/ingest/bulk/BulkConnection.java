package io.cordwood.ingest.bulk;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.wire.AnswerLine;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.segment.SegmentLeases.Whereabouts;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/**
 * One upload over TCP: all that comes until the sender ends its half of the connection. It is
 * answered with one line, and closed:
 *
 * <pre>
 *   ack N            N records are on as many stores as there have to be
 *   error: WHY       not stored at all; or kept here, and not on the stores yet, as WHY says
 * </pre>
 *
 * A sender of batches is a program that would send them again, and again, if it were told the
 * latter: each time one more copy on this disk. It is told lines {@code wait: …} instead, for as
 * long as it stays.
 *
 * <p>Nobody interrupts its thread.
 */
final class BulkConnection {
  private static final RateLimitedLog REFUSALS =
      new RateLimitedLog(LoggerFactory.getLogger(BulkConnection.class));

  /** How often a sender of batches is told to wait on; one that has left is found so, too. */
  private static final Duration REMINDER = Duration.ofSeconds(10);

  /** How long a refused sender is still read, so that it gets to see why. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Socket socket;
  private final Uploads uploads;
  private final Intake intake;
  private final BooleanSupplier closing;

  BulkConnection(Socket socket, Uploads uploads, Intake intake, BooleanSupplier closing) {
    this.socket = socket;
    this.uploads = uploads;
    this.intake = intake;
    this.closing = closing;
  }

  void run() throws IOException {
    answer(upload());
    socket.close();
  }

  /** The line that says what became of it. */
  private String upload() throws IOException {
    try {
      var opening = new UploadOpening(socket, intake, closing);
      Optional<Uploaded> uploaded =
          uploads.receive(
              opening.source(), new Origin(intake.options().topic().name(), Labels.NONE));
      return uploaded.isPresent() ? await(uploaded.get()) : AnswerLine.ack(0);
    } catch (UploadRefusedException e) {
      if (e.reason() != UploadRefusedException.Reason.TOKEN) { // Those are told of together.
        REFUSALS.warn("refused", socket.getRemoteSocketAddress(), String.valueOf(e.getMessage()));
      }
      return AnswerLine.error(String.valueOf(e.getMessage()));
    }
  }

  private String await(Uploaded uploaded) throws IOException {
    var wait = uploads.options().longestWait();
    Whereabouts found =
        uploaded.stamped()
            ? awaitAsLongAsItsSender(uploaded)
            : uploads.await(uploaded.segment(), wait, closing);
    if (found == Whereabouts.COMMITTED) {
      return AnswerLine.ack(uploaded.records());
    }
    String why = closing.getAsBoolean() ? BulkRoutes.CLOSING : BulkRoutes.late(wait);
    return AnswerLine.error(why + BulkRoutes.kept(uploaded.segment()));
  }

  private Whereabouts awaitAsLongAsItsSender(Uploaded uploaded) throws IOException {
    Duration longest = uploads.options().longestWait();
    Duration each = longest.compareTo(REMINDER) < 0 ? longest : REMINDER;
    Whereabouts found = uploads.await(uploaded.segment(), each, closing);
    while (found == Whereabouts.HERE && !closing.getAsBoolean()) {
      write(
          AnswerLine.waiting(
              "segment " + uploaded.segment() + " is kept, and not on the stores yet"));
      found = uploads.await(uploaded.segment(), each, closing);
    }
    return found;
  }

  private void write(String line) throws IOException {
    socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
  }

  /** Closing with unread bytes would reset the connection, and the line might be lost. */
  private void answer(String line) throws IOException {
    write(line);
    socket.shutdownOutput();
    long end = System.nanoTime() + LINGER_NANOS;
    byte[] rest = new byte[8 << 10];
    while (System.nanoTime() - end < 0) {
      try {
        if (socket.getInputStream().read(rest) < 0) {
          return;
        }
      } catch (SocketTimeoutException e) {
        // Nothing comes at the moment; the sender may still be reading.
      }
    }
  }
}
