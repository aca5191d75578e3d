package io.cordwood.ingest.gelf;

import io.cordwood.ingest.message.Frame;
import io.cordwood.ingest.message.Framing;
import org.jspecify.annotations.Nullable;

/**
 * Finds the objects that a connection sends: each ends with its last brace. What stands between
 * them, NULs or line feeds, is passed over. A NUL ends whatever has no end by then; what is no
 * object ends with a line feed, too.
 */
final class GelfFraming implements Framing {
  private int scanned;
  private int depth;
  private boolean inString;
  private boolean escaped;
  private boolean continuing;

  @Override
  public @Nullable Frame next(byte[] bytes, int from, int to, boolean ended, int longest) {
    int start = continuing ? from : begin(bytes, from, to);
    int most = Math.min(to, from + longest);
    boolean isObject = start < to && bytes[start] == '{' && !continuing;
    for (int at = Math.max(start, from + scanned); at < most; at++) {
      byte each = bytes[at];
      boolean isEnd = each == 0 || (each == '\n' && !isObject && !continuing);
      if (isEnd) {
        return found(start, at, at + 1, false);
      }
      if (isObject && closes(each)) {
        return found(start, at + 1, at + 1, false);
      }
    }
    if (ended || to - from >= longest) {
      return found(Math.min(start, most), most, most, !ended || most < to);
    }
    scanned = to - from;
    return null;
  }

  /** The place after what stands between messages. */
  private static int begin(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] >= 0 && bytes[at] <= ' ') {
      at++;
    }
    return at;
  }

  private Frame found(int start, int end, int next, boolean continues) {
    var frame = new Frame(start, end, next, continuing);
    continuing = continues && end > start;
    scanned = 0;
    depth = 0;
    inString = false;
    escaped = false;
    return frame;
  }

  /** Whether the object is at its end after a byte. */
  private boolean closes(byte each) {
    if (escaped) {
      escaped = false;
    } else if (inString) {
      escaped = each == '\\';
      inString = each != '"';
    } else if (each == '"') {
      inString = true;
    } else if (each == '{') {
      depth++;
    } else if (each == '}') {
      depth--;
      return depth == 0;
    }
    return false;
  }
}
