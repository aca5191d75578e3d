package io.cordwood.ingest.message;

import io.cordwood.common.wire.ForeignBytes;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.sender.ForeignStart;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * Reads the messages of one connection to its end. One that begins with zlib's bytes, as rsyslog's
 * {@code compression.mode="stream:always"} has it, is unpacked.
 */
final class MessageConnection implements AutoCloseable {
  /** After so long without a byte, messages that came are stored. */
  private static final int QUIET_MILLIS = 20;

  /**
   * How often a read that waits looks whether the node ends. Longer than a kernel waits before it
   * sends again what was dropped, 200 ms: what was sent before the node ended may come so late.
   */
  private static final int TICK_MILLIS = 250;

  private static final int FIRST_BYTES = 8 << 10;

  /** Room for the longest message with what stands before it, and for a read. */
  private static final int MAX_BUFFER_BYTES = Framing.MAX_BYTES + (64 << 10);

  private final Socket socket;
  private final Intake intake;
  private final Framing framing;
  private final GatheredMessages messages;
  private final BooleanSupplier closing;
  private InputStream in;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int from;
  private int to;
  private final Inflater inflater = new Inflater();
  private boolean isKnown;

  MessageConnection(
      Socket socket,
      Intake intake,
      Framing framing,
      GatheredMessages messages,
      BooleanSupplier closing)
      throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.intake = intake;
    this.framing = framing;
    this.messages = messages;
    this.closing = closing;
  }

  /**
   * Reads until it ends.
   *
   * @throws IOException if it was lost; what had come is stored
   * @throws RefusedException if it cannot go on
   */
  void run() throws IOException, RefusedException {
    boolean refused = false;
    try {
      while (read()) {
        take(false);
        if (messages.isDue()) {
          messages.store();
        }
      }
    } catch (RefusedException e) {
      refused = true;
      throw e;
    } finally {
      if (!refused) {
        take(true);
        messages.store();
      }
    }
  }

  /** Reads some bytes; returns false once there will be no more. */
  private boolean read() throws IOException, RefusedException {
    makeRoom();
    while (true) {
      boolean waited = messages.isEmpty();
      socket.setSoTimeout(waited ? TICK_MILLIS : QUIET_MILLIS);
      try {
        int count = in.read(bytes, to, bytes.length - to);
        to += Math.max(count, 0);
        return count >= 0;
      } catch (SocketTimeoutException e) {
        if (waited && closing.getAsBoolean()) {
          return false;
        }
        messages.store();
      } catch (EOFException e) {
        return false; // What was packed is cut off.
      }
    }
  }

  private void makeRoom() {
    if (from > 0) {
      System.arraycopy(bytes, from, bytes, 0, to - from);
      to -= from;
      from = 0;
    }
    if (to == 0 && bytes.length > FIRST_BYTES) {
      resize(FIRST_BYTES);
    }
    if (to == bytes.length) {
      resize(Math.min(2 * to, MAX_BUFFER_BYTES));
    }
  }

  private void resize(int length) {
    intake.held().add(length - bytes.length);
    bytes = Arrays.copyOf(bytes, length);
  }

  private void take(boolean ended) throws RefusedException {
    if (!isKnown && !look(ended)) {
      return;
    }
    int longest = intake.held().isTooMuch(to - from) ? Math.max(1, to - from) : Framing.MAX_BYTES;
    while (from < to) {
      Frame frame = framing.next(bytes, from, to, ended, longest);
      if (frame == null) {
        return;
      }
      messages.add(bytes, frame.start(), frame.end(), frame.continued(), frame.next() - from);
      from = frame.next();
    }
  }

  /** Whether it is known what comes: messages, or what is unpacked to such from now on. */
  private boolean look(boolean ended) throws RefusedException {
    byte[] start = ForeignStart.of(bytes, from, to);
    if (ForeignBytes.packing(start).equals(Optional.of("zlib")) && !ended) {
      in =
          new InflaterInputStream(
              new SequenceInputStream(
                  new ByteArrayInputStream(Arrays.copyOfRange(bytes, from, to)), in),
              inflater);
      from = to;
      isKnown = true;
      return false;
    }
    try {
      isKnown = ForeignStart.isMessages(start, ended);
      return isKnown;
    } catch (RefusedException e) {
      intake.metrics().ledger.read(to - from);
      intake.metrics().ledger.withoutTopic().turnedDown(e.reason(), 0, to - from);
      from = to;
      throw e;
    }
  }

  /** The socket is closed by whoever opened it. */
  @Override
  public void close() {
    inflater.end();
    intake.held().add(FIRST_BYTES - bytes.length);
  }
}
