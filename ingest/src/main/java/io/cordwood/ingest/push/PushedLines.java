package io.cordwood.ingest.push;

import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.RefusedException;
import java.util.Arrays;

/**
 * Cuts a body at its line feeds: each line is a record, also the last one without a line feed; a
 * line of more than a record becomes several. For the request's thread.
 */
final class PushedLines {
  private static final byte LF = '\n';
  private static final byte CR = '\r';

  private final PushedRecords records;
  private final Origin origin;
  private byte[] rest = new byte[1 << 10];
  private int restBytes;
  private boolean splitting;

  PushedLines(PushedRecords records, Origin origin) {
    this.records = records;
    this.origin = origin;
  }

  /** Takes the next bytes of the body. */
  void take(byte[] bytes, int from, int to) throws RefusedException {
    int start = from;
    for (int at = from; at < to; at++) {
      if (bytes[at] == LF) {
        endLine(bytes, start, at);
        start = at + 1;
      }
    }
    keep(bytes, start, to);
  }

  private void endLine(byte[] bytes, int from, int to) throws RefusedException {
    if (restBytes == 0) {
      line(bytes, from, to, 1);
    } else {
      keep(bytes, from, to);
      int length = restBytes;
      restBytes = 0;
      line(rest, 0, length, 1);
    }
  }

  private void keep(byte[] bytes, int from, int to) throws RefusedException {
    int at = from;
    while (restBytes + to - at > BatchHeader.MAX_RECORD_BYTES) {
      int room = BatchHeader.MAX_RECORD_BYTES - restBytes;
      append(bytes, at, at + room);
      restBytes = 0;
      if (!splitting) {
        records.countSplit();
      }
      splitting = true;
      records.add(origin, rest, 0, BatchHeader.MAX_RECORD_BYTES, BatchHeader.MAX_RECORD_BYTES);
      at += room;
    }
    append(bytes, at, to);
  }

  private void append(byte[] bytes, int from, int to) {
    int length = restBytes + to - from;
    if (length > rest.length) {
      rest = Arrays.copyOf(rest, Math.max(length, 2 * rest.length));
    }
    System.arraycopy(bytes, from, rest, restBytes, to - from);
    restBytes = length;
  }

  private void line(byte[] bytes, int from, int to, int lineFeeds) throws RefusedException {
    splitting = false;
    int wireBytes = to - from + lineFeeds;
    boolean isBlank = to == from || (to - from == 1 && bytes[from] == CR);
    if (isBlank) {
      records.countBlank(origin, wireBytes);
    } else {
      records.add(origin, bytes, from, to, wireBytes);
    }
  }

  /** The body has ended: what is left is a line. */
  void end() throws RefusedException {
    if (restBytes > 0) {
      line(rest, 0, restBytes, 0);
    }
  }
}
