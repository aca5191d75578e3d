package io.cordwood.ingest.elastic;

import io.cordwood.common.wire.BatchHeader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a body, one after the other, without white space around them; of one that is longer
 * than a record may be nothing is kept. For one thread.
 */
final class BodyLines {
  /** The longest line. */
  static final int MAX_BYTES = BatchHeader.MAX_RECORD_BYTES;

  private static final int FIRST_BYTES = 64 << 10;

  private final InputStream body;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int next;
  private int size;
  private boolean ended;
  private int start;
  private int end;
  private long wireBytes;
  private boolean tooLong;
  private long number;

  BodyLines(InputStream body) {
    this.body = body;
  }

  /** Goes on to the next line that is not blank; false if there is none. */
  boolean next() throws IOException {
    do {
      if (!take()) {
        return false;
      }
    } while (start == end && !tooLong);
    return true;
  }

  private boolean take() throws IOException {
    tooLong = false;
    wireBytes = 0;
    int looked = next;
    while (true) {
      int feed = lineFeed(looked);
      if (feed >= 0) {
        took(feed, 1);
        return true;
      }
      looked = size - next;
      if (looked > MAX_BYTES) {
        tooLong = true;
        wireBytes += looked;
        next = size;
        looked = 0;
      }
      if (!fill()) {
        boolean isLast = size > next || tooLong;
        took(size, 0);
        return isLast;
      }
      looked += next;
    }
  }

  private int lineFeed(int from) {
    for (int at = from; at < size; at++) {
      if (bytes[at] == '\n') {
        return at;
      }
    }
    return -1;
  }

  private void took(int to, int lineFeeds) {
    number++;
    wireBytes += to - next + lineFeeds;
    tooLong |= to - next > MAX_BYTES;
    start = next;
    end = to;
    next = to + lineFeeds;
    while (start < end && isBlank(bytes[start])) {
      start++;
    }
    while (start < end && isBlank(bytes[end - 1])) {
      end--;
    }
  }

  private static boolean isBlank(byte each) {
    return each == ' ' || each == '\t' || each == '\r';
  }

  private boolean fill() throws IOException {
    if (ended) {
      return false;
    }
    if (next > 0) {
      System.arraycopy(bytes, next, bytes, 0, size - next);
      size -= next;
      next = 0;
    }
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    int count = body.read(bytes, size, bytes.length - size);
    ended = count < 0;
    size += Math.max(count, 0);
    return !ended;
  }

  /** Holds the line until the next is asked for. */
  byte[] bytes() {
    return bytes;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** Bytes of the body that it was. */
  int wireBytes() {
    return (int) Math.min(wireBytes, Integer.MAX_VALUE);
  }

  /** Whether it is longer than {@link #MAX_BYTES}. */
  boolean isTooLong() {
    return tooLong;
  }

  /** Which line of the body it is, from 1 on. */
  long number() {
    return number;
  }
}
