package io.cordwood.ingest.syslog;

import io.cordwood.ingest.message.Frame;
import io.cordwood.ingest.message.Framing;
import org.jspecify.annotations.Nullable;

/**
 * Finds the messages of a connection, however each of them is framed; senders of several kinds may
 * share a connection.
 *
 * <pre>
 *   83 &lt;13&gt;1 2026-… text            as long as it says (RFC 6587); a line feed at its end is none
 *                                   of its text
 *   &lt;13&gt;… text LF    any text LF    to the line feed
 *   &lt;13&gt;… text NUL   {"a":1} NUL    to the NUL, also over line feeds if it has come with them and
 *                                   none of the lines begins like a message
 *   &lt;13&gt;… host app[42]: text&lt;13&gt;…   to a header of the same host, program and process: there is
 *                                   no other end; that of the last is that of the connection
 * </pre>
 */
final class SyslogFraming implements Framing {
  private static final int MAX_DIGITS = 7;
  private static final int NOT_COUNTED = 0;
  private static final int UNKNOWN = -1;

  /** By so much the header of one message may be longer than that of the one before. */
  private static final int HEADER_SLACK = 16;

  private final SyslogHeader own;
  private final SyslogHeader other;
  private int scanned;
  private int countedLeft;
  private boolean continuing;

  /** The kinds of places in a message. */
  private enum Place {
    TEXT,
    NEXT_MESSAGE,
    NOT_KNOWN_YET
  }

  SyslogFraming(SyslogTime times) {
    this.own = new SyslogHeader(times);
    this.other = new SyslogHeader(times);
  }

  @Override
  public @Nullable Frame next(byte[] bytes, int from, int to, boolean ended, int longest) {
    if (countedLeft > 0) {
      return counted(bytes, from, from, countedLeft, to, ended, longest);
    }
    if (!continuing) {
      if (isEnd(bytes[from])) {
        return new Frame(from, from, from + 1, false);
      }
      int count = octetCount(bytes, from, to);
      if (count == UNKNOWN && !ended) {
        return null;
      } else if (count > 0) {
        return counted(bytes, from, textOf(bytes, from), count, to, ended, longest);
      }
    }
    return line(bytes, from, to, ended, longest);
  }

  private @Nullable Frame counted(
      byte[] bytes, int from, int start, int count, int to, boolean ended, int longest) {
    if (to - start < count && !ended && to - from < longest) {
      return null;
    }
    int end = Math.min(to, start + count);
    boolean isWhole = end - start == count || ended;
    countedLeft = isWhole ? 0 : count - (end - start);
    boolean hasLineFeed = isWhole && end > start && isEnd(bytes[end - 1]);
    return found(start, hasLineFeed ? end - 1 : end, end, !isWhole);
  }

  private Frame found(int start, int end, int next, boolean continues) {
    var frame = new Frame(start, end, next, continuing);
    continuing = continues;
    scanned = 0;
    return frame;
  }

  private @Nullable Frame line(byte[] bytes, int from, int to, boolean ended, int longest) {
    int most = Math.min(to, from + longest);
    for (int at = from + scanned; at < most; at++) {
      byte each = bytes[at];
      if (isEnd(each)) {
        int end = each == 0 || continuing ? at : endOverLines(bytes, from, at, most);
        boolean isBlank = end - from == 1 && bytes[from] == '\r';
        return found(from, isBlank ? from : end, end + 1, false);
      }
      if (each == '<' && at > from && !continuing) {
        Place place = place(bytes, from, at, to, ended);
        if (place == Place.NEXT_MESSAGE) {
          return found(from, at, at, false);
        } else if (place == Place.NOT_KNOWN_YET && to - from < longest) {
          scanned = at - from;
          return null;
        }
      }
    }
    if (ended || to - from >= longest) {
      return found(from, most, most, most < to || !ended);
    }
    scanned = to - from;
    return null;
  }

  /** The end of a message that has a line feed: a NUL, if that is where it ends; else that. */
  private static int endOverLines(byte[] bytes, int from, int lineFeed, int to) {
    if (bytes[from] != '<') {
      return lineFeed;
    }
    for (int at = lineFeed; at < to; at++) {
      if (bytes[at] == 0) {
        return at;
      }
      if (bytes[at] == '\n' && (at + 1 == to || mayBegin(bytes, at + 1, to))) {
        return lineFeed;
      }
    }
    return lineFeed;
  }

  /** Whether a line begins as a message may. */
  private static boolean mayBegin(byte[] bytes, int from, int to) {
    return bytes[from] == '{'
        || isEnd(bytes[from])
        || octetCount(bytes, from, to) != NOT_COUNTED
        || SyslogHeader.priorityEnd(bytes, from, to) > from;
  }

  /** Whether the next message begins at a place within what may be one, without any end of it. */
  private Place place(byte[] bytes, int from, int at, int to, boolean ended) {
    if (at + 1 < to && !SyslogTime.isDigit(bytes[at + 1])) {
      return Place.TEXT;
    }
    own.read(bytes, from, at);
    if (!own.isWhole()) {
      return Place.TEXT;
    }
    other.read(bytes, at, to);
    if (other.hasSenderOf(own)) {
      return Place.NEXT_MESSAGE;
    }
    boolean mayGoOn = !ended && to - at < own.senderEnd() - from + HEADER_SLACK;
    for (int i = at; mayGoOn && i < to; i++) {
      mayGoOn = !isEnd(bytes[i]);
    }
    return mayGoOn ? Place.NOT_KNOWN_YET : Place.TEXT;
  }

  /** The length that stands before a message; {@link #UNKNOWN} if more must come to know it. */
  private static int octetCount(byte[] bytes, int from, int to) {
    int at = from;
    int count = 0;
    while (at < to && at - from < MAX_DIGITS && SyslogTime.isDigit(bytes[at])) {
      count = 10 * count + bytes[at++] - '0';
    }
    if (at == from || bytes[from] == '0' || count > MAX_BYTES) {
      return NOT_COUNTED;
    }
    if (at + 1 >= to) {
      return at == to || bytes[at] == ' ' ? UNKNOWN : NOT_COUNTED;
    }
    if (bytes[at] != ' ' || bytes[at + 1] != '<') {
      return NOT_COUNTED;
    }
    int text = at + 1;
    int end = SyslogHeader.priorityEnd(bytes, text, to);
    if (end > text) {
      return end - text <= count ? count : NOT_COUNTED;
    }
    boolean mayBe = true;
    for (int i = text + 1; i < to; i++) {
      mayBe &= SyslogTime.isDigit(bytes[i]) && i < text + 4;
    }
    return mayBe ? UNKNOWN : NOT_COUNTED;
  }

  private static int textOf(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] != ' ') {
      at++;
    }
    return at + 1;
  }

  private static boolean isEnd(byte each) {
    return each == '\n' || each == 0;
  }
}
