package io.cordwood.forwarder;

import io.cordwood.common.wire.AnswerLine;
import io.cordwood.common.wire.Hint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an ingest node answers on one connection: {@link AnswerLine}s, hints and the time only
 * if it was asked for them. For one thread at a time.
 */
final class AckReader {
  private static final int MAX_LINE_BYTES = 1024;
  private static final int SHOWN_CHARS = 80;

  private final @Nullable AdvertisedNodes told;
  private final LongConsumer clock;
  private boolean awaitsClock;
  private final byte[] line = new byte[MAX_LINE_BYTES];
  private int length;
  private long acknowledged;

  /**
   * @param greeting says what the node was asked for
   * @param clock takes the node's time, in milliseconds, if it was asked for that
   */
  AckReader(Greeting greeting, LongConsumer clock) {
    this.told = greeting.told();
    this.awaitsClock = greeting.features().clock();
    this.clock = clock;
  }

  /** Whether the node was asked for its time, and has not said it yet. */
  boolean awaitsClock() {
    return awaitsClock;
  }

  /**
   * @param sentRecords were sent whole on this connection: no more can be acknowledged
   * @throws PeerException on a refusal and on anything else than a growing number; what came before
   *     it counts
   */
  void read(ByteBuffer in, long sentRecords) throws PeerException {
    while (in.hasRemaining()) {
      byte next = in.get();
      if (next == '\n') {
        acknowledged = acknowledgedBy(text(), sentRecords);
        length = 0;
      } else if (length == MAX_LINE_BYTES) {
        throw wrong("expected 'ack N', found a line of over 1 KiB: " + shown(), text());
      } else {
        line[length++] = next;
      }
    }
  }

  /** The records acknowledged by now. */
  long acknowledged() {
    return acknowledged;
  }

  private long acknowledgedBy(String text, long sentRecords) throws PeerException {
    if (AnswerLine.isError(text)) {
      throw new PeerException(text);
    }
    if (AnswerLine.isWaiting(text)) {
      return acknowledged;
    }
    if (told != null && Hint.isMeant(text)) {
      told.read(text);
      return acknowledged;
    }
    if (awaitsClock) {
      clock.accept(expected(AnswerLine.millis(text), "clock MILLIS", text));
      awaitsClock = false;
      return acknowledged;
    }
    long count = expected(AnswerLine.acknowledged(text), "ack N", text);
    if (count < acknowledged || count > sentRecords) {
      throw new PeerException(
          "expected an ack of " + acknowledged + ".." + sentRecords + ", found " + count);
    }
    return count;
  }

  private long expected(long number, String form, String text) throws PeerException {
    if (number < 0) {
      throw wrong("expected '" + form + "', found '" + shown() + "'", text);
    }
    return number;
  }

  /** The error that an end of the connection now is, with what came of a line. */
  PeerException end() {
    String message = "the peer closed the connection";
    return length == 0
        ? new PeerException(message)
        : wrong(message + " after '" + shown() + "'", text());
  }

  private PeerException wrong(String message, String text) {
    return AnswerLine.mayBegin(text) || acknowledged > 0
        ? new PeerException(message)
        : PeerException.foreign(message);
  }

  /** Without a carriage return at its end, as lines of HTTP have. */
  private String shown() {
    String all = text();
    boolean hasReturn = length > 0 && line[length - 1] == '\r';
    String text = hasReturn ? all.substring(0, all.length() - 1) : all;
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
  }

  /** The part of a line that has come so far, printable. */
  String text() {
    String raw = new String(line, 0, length, StandardCharsets.UTF_8);
    return raw.replaceAll("\\p{Cntrl}", "?");
  }
}
