package io.cordwood.query.match;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * An expression of literals with captures between them, which is found without trying ways: each
 * part ends at one place only. {@link LiteralCapturesReader} tells which expressions are such.
 * Immutable; safe for many threads.
 *
 * @param anchored whether it matches at the beginning of a record only
 * @param first the literal with which it begins; empty only if it is anchored
 */
record LiteralCaptures(boolean anchored, byte[] first, List<Part> parts) {
  /** Bytes that are looked at for each of a record, before {@link CaptureRun} goes on its way. */
  private static final int MAX_LOOKS = 4;

  private static final byte[] BESIDE = "  {".getBytes(StandardCharsets.US_ASCII);

  /** Not a place of a failure. */
  private static final int MATCHED = -1;

  enum Result {
    MATCHES,
    NONE,
    /** It would take too long to know. */
    UNKNOWN
  }

  /** How the end of a part is found. */
  enum Kind {
    /** It goes to the next literal. */
    UNTIL,
    /** It goes to the next literal or to the end of the text, which an object may stand beside. */
    UNTIL_OR_END,
    /** It goes on as long as bytes are of a set; then the literal has to follow. */
    RUN,
    /** It is all that is left. */
    REST
  }

  /**
   * A part of a record.
   *
   * @param group which it is; -1 if it is none
   * @param set the bytes of a {@link Kind#RUN}; else empty
   * @param least the least bytes of a {@link Kind#RUN}
   * @param next the literal after it; may be empty
   */
  record Part(int group, Kind kind, boolean[] set, int least, byte[] next) {}

  /** Finds the leftmost match in {@code bytes[from, to)}; sets pairs of places for its groups. */
  Result find(byte[] bytes, int from, int to, int[] places) {
    int start = anchored ? from : indexOf(first, bytes, from, to);
    if (anchored && !isAt(first, bytes, from, to)) {
      return Result.NONE;
    }
    long looks = (long) MAX_LOOKS * (to - from);
    while (start >= 0) {
      int failed = follow(bytes, start + first.length, to, places);
      if (failed == MATCHED) {
        return Result.MATCHES;
      } else if (anchored) {
        return Result.NONE;
      }
      looks -= failed - start;
      if (looks < 0) {
        return Result.UNKNOWN;
      }
      start = indexOf(first, bytes, start + 1, to);
    }
    return Result.NONE;
  }

  /** Takes part after part; gives where the first is that is not there. */
  private int follow(byte[] bytes, int start, int to, int[] places) {
    Arrays.fill(places, -1);
    int at = start;
    int textEnd = -1;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      int end;
      switch (part.kind) {
        case UNTIL -> {
          end = indexOf(part.next, bytes, at, to);
          if (end < 0) {
            return to;
          }
        }
        case UNTIL_OR_END -> {
          end = part.next.length == 0 ? -1 : indexOf(part.next, bytes, at, to);
          textEnd = textEnd < at ? textEnd(bytes, at, to) : textEnd;
          if (end < 0 || textEnd <= end) {
            put(part, at, textEnd, places);
            return MATCHED;
          }
        }
        case RUN -> {
          end = endOfRun(part.set, bytes, at, to);
          if (end - at < part.least || !isAt(part.next, bytes, end, to)) {
            return end;
          }
        }
        case REST -> end = to;
        default -> throw new IllegalStateException("a part of no kind");
      }
      put(part, at, end, places);
      at = end + part.next.length;
    }
    return MATCHED;
  }

  private static void put(Part part, int from, int to, int[] places) {
    if (part.group >= 0) {
      places[2 * part.group] = from;
      places[2 * part.group + 1] = to;
    }
  }

  /** Before the first object that is followed by nothing, after two spaces. */
  private static int textEnd(byte[] bytes, int at, int to) {
    int beside = to > at && bytes[to - 1] == '}' ? indexOf(BESIDE, bytes, at, to - 1) : -1;
    return beside < 0 ? to : beside;
  }

  private static int endOfRun(boolean[] set, byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && set[bytes[at] & 0xFF]) {
      at++;
    }
    return at;
  }

  private static int indexOf(byte[] literal, byte[] bytes, int from, int to) {
    byte begin = literal[0];
    for (int at = from; at <= to - literal.length; at++) {
      if (bytes[at] == begin && isAt(literal, bytes, at, to)) {
        return at;
      }
    }
    return -1;
  }

  private static boolean isAt(byte[] literal, byte[] bytes, int at, int to) {
    if (to - at < literal.length) {
      return false;
    }
    for (int i = 0; i < literal.length; i++) {
      if (bytes[at + i] != literal[i]) {
        return false;
      }
    }
    return true;
  }
}
