package io.cordwood.forwarder;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an ingest node answers on one connection: lines {@code ack N}, cumulative, or one line
 * {@code error: …}; in bulk mode also {@code wait: …} now and then, which says that it goes on; and
 * {@link Hint}s, if it was asked for them. For one thread at a time.
 */
final class AckReader {
  private static final int MAX_LINE_BYTES = 1024;
  private static final String ACK = "ack ";
  private static final String WAIT = "wait: ";
  private static final int MAX_DIGITS = 18;

  private final @Nullable ToldNodes told;
  private final byte[] line = new byte[MAX_LINE_BYTES];
  private int length;
  private long acknowledged;

  /**
   * @param told takes hints; null if the node was not asked for any
   */
  AckReader(@Nullable ToldNodes told) {
    this.told = told;
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
        throw new PeerException("expected 'ack N', found a line of over 1 KiB: " + text());
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
    if (text.startsWith("error:")) {
      throw new PeerException(text);
    }
    if (text.startsWith(WAIT)) {
      return acknowledged;
    }
    if (told != null && Hint.isMeant(text)) {
      told.read(text);
      return acknowledged;
    }
    String digits = text.startsWith(ACK) ? text.substring(ACK.length()) : "";
    if (digits.isEmpty()
        || digits.length() > MAX_DIGITS
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new PeerException("expected 'ack N', found '" + text + "'");
    }
    long count = Long.parseLong(digits);
    if (count < acknowledged || count > sentRecords) {
      throw new PeerException(
          "expected an ack of " + acknowledged + ".." + sentRecords + ", found " + count);
    }
    return count;
  }

  /** The part of a line that has come so far, printable. */
  String text() {
    String raw = new String(line, 0, length, StandardCharsets.UTF_8);
    return raw.replaceAll("\\p{Cntrl}", "?");
  }
}
