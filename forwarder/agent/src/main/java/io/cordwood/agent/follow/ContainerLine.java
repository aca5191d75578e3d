package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.common.text.JsonEscapes;
import io.cordwood.forwarder.Lines;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The parts of one line that a container runtime has written. Read again for each line. */
final class ContainerLine {
  /** The streams of a container; the first is for lines that are of none. */
  static final String[] STREAMS = {"", "stdout", "stderr"};

  /** A time has fewer bytes. */
  private static final int MOST_TIME_BYTES = 64;

  private static final byte[] LOG = "log".getBytes(US_ASCII);
  private static final byte[] STREAM = "stream".getBytes(US_ASCII);
  private static final byte[] TIME = "time".getBytes(US_ASCII);
  private static final byte[][] NAMES = {
    new byte[0], STREAMS[1].getBytes(US_ASCII), STREAMS[2].getBytes(US_ASCII)
  };

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long STDOUT = (long) LONG.get(" stdout ".getBytes(US_ASCII), 0);
  private static final long STDERR = (long) LONG.get(" stderr ".getBytes(US_ASCII), 0);

  private final ContainerTime times = new ContainerTime();
  private final LocalEntry entry = new LocalEntry();

  /** The length of the last time: those of a runtime have one, or nearly. */
  private int timeBytes;

  int stream;
  long millis;
  int from;
  int to;

  /** Whether the text goes on in the next line of the stream. */
  boolean isPart;

  boolean isEscaped;

  /** Whether the text has line feeds within. */
  boolean hasLines;

  /** Whether the line is of the format. */
  boolean isLike;

  /**
   * Reads the line that begins at a position, or what is in its place.
   *
   * @param ends whether it ends with the bytes, if nothing else ends it
   * @return where the next one begins; below nought if its end is not there yet
   */
  int read(LineFormat format, byte[] bytes, int begin, int limit, boolean ends) {
    takeWhole(begin, limit);
    boolean isUsual = format == LineFormat.cri && isUsualCri(bytes, begin, limit);
    int found =
        format == LineFormat.local
            ? LocalEntry.end(bytes, begin, limit)
            : Lines.first((byte) '\n', bytes, isUsual ? from : begin, limit);
    if (found < 0 && !ends) {
      return found;
    }
    int end = found < 0 ? limit : found;
    to = end;
    isLike = isUsual || read(format, bytes, begin, end);
    return found < 0 || format == LineFormat.local ? end : end + 1;
  }

  /**
   * Reads a line whose end is known.
   *
   * @return false if it is none of the format; then all of it is the text
   */
  boolean read(LineFormat format, byte[] bytes, int begin, int lf) {
    takeWhole(begin, lf);
    boolean isOf =
        switch (format) {
          case cri -> cri(bytes, begin, lf);
          case local -> local(bytes, begin, lf);
          default -> docker(bytes, begin, lf);
        };
    if (!isOf) {
      takeWhole(begin, lf);
    }
    return isOf;
  }

  private void takeWhole(int begin, int lf) {
    stream = 0;
    millis = ContainerTime.NONE;
    from = begin;
    to = lf;
    isPart = false;
    isEscaped = false;
    hasLines = false;
  }

  /** Reads what is before the text, as nearly all lines have it; false if it is not that. */
  private boolean isUsualCri(byte[] bytes, int begin, int limit) {
    int timeEnd = begin + timeBytes;
    int tagEnd = timeEnd + Long.BYTES + 1;
    if (tagEnd >= limit || bytes[tagEnd] != ' ') {
      return false;
    }
    long name = (long) LONG.get(bytes, timeEnd);
    byte tag = bytes[tagEnd - 1];
    if ((name != STDOUT && name != STDERR) || (tag != 'F' && tag != 'P')) {
      return false;
    }
    stream = name == STDOUT ? 1 : 2;
    millis = times.millis(bytes, begin, timeEnd);
    isPart = tag == 'P';
    from = tagEnd + 1;
    return millis != ContainerTime.NONE;
  }

  private boolean cri(byte[] bytes, int begin, int lf) {
    int timeEnd = blank(bytes, begin, Math.min(lf, begin + MOST_TIME_BYTES));
    int streamEnd = timeEnd < 0 ? -1 : blank(bytes, timeEnd + 1, lf);
    if (streamEnd < 0 || streamEnd + 1 >= lf) {
      return false;
    }
    stream = stream(bytes, timeEnd + 1, streamEnd);
    byte tag = bytes[streamEnd + 1];
    int tagEnd = blank(bytes, streamEnd + 1, lf);
    int end = tagEnd < 0 ? lf : tagEnd;
    boolean isTag = end == streamEnd + 2 || bytes[streamEnd + 2] == ':';
    if (stream == 0 || !isTag || (tag != 'P' && tag != 'F')) {
      return false;
    }
    millis = times.millis(bytes, begin, timeEnd);
    timeBytes = timeEnd - begin;
    isPart = tag == 'P';
    from = tagEnd < 0 ? lf : tagEnd + 1;
    return true;
  }

  private static int blank(byte[] bytes, int from, int to) {
    return Lines.first((byte) ' ', bytes, from, to);
  }

  private static int stream(byte[] bytes, int from, int to) {
    for (int i = 1; i < NAMES.length; i++) {
      if (is(NAMES[i], bytes, from, to)) {
        return i;
      }
    }
    return 0;
  }

  private static boolean is(byte[] name, byte[] bytes, int from, int to) {
    return Arrays.equals(name, 0, name.length, bytes, from, to);
  }

  private boolean local(byte[] bytes, int begin, int end) {
    boolean isLike = entry.read(bytes, begin, end);
    stream = entry.stream;
    millis = entry.millis;
    from = entry.from;
    to = entry.to;
    isPart = entry.isPart;
    hasLines = isLike && Lines.first((byte) '\n', bytes, from, to) >= 0;
    return isLike;
  }

  /** One object of strings and objects; what has other names is left out. */
  private boolean docker(byte[] bytes, int begin, int lf) {
    boolean hasText = false;
    boolean hasTime = false;
    int at = begin;
    while (at < lf && bytes[at] == (at == begin ? '{' : ',') && at + 1 < lf) {
      int nameEnd = bytes[at + 1] == '"' ? JsonEscapes.end(bytes, at + 2, lf) : -1;
      if (nameEnd < 0 || nameEnd + 2 >= lf || bytes[nameEnd + 1] != ':') {
        return false;
      }
      int name = at + 2;
      int value = nameEnd + 2;
      at =
          bytes[value] == '"' ? JsonEscapes.end(bytes, value + 1, lf) + 1 : after(bytes, value, lf);
      if (at <= 0) {
        return false;
      }
      if (bytes[value] == '"') {
        if (is(LOG, bytes, name, nameEnd)) {
          hasText = true;
          text(bytes, value + 1, at - 1);
        } else if (is(STREAM, bytes, name, nameEnd)) {
          stream = stream(bytes, value + 1, at - 1);
        } else if (is(TIME, bytes, name, nameEnd)) {
          hasTime = true;
          millis = times.millis(bytes, value + 1, at - 1);
        }
      }
    }
    return hasText && hasTime && stream > 0 && at == lf - 1 && bytes[at] == '}';
  }

  /** The end of a value that is no string; nought if it has none. */
  private static int after(byte[] bytes, int from, int lf) {
    int depth = 0;
    for (int at = from; at < lf; at++) {
      switch (bytes[at]) {
        case '"' -> {
          at = JsonEscapes.end(bytes, at + 1, lf);
          if (at < 0) {
            return 0;
          }
        }
        case '{', '[' -> depth++;
        case '}', ']' -> {
          if (--depth < 0) {
            return at;
          }
        }
        case ',' -> {
          if (depth == 0) {
            return at;
          }
        }
        default -> {}
      }
    }
    return 0;
  }

  private void text(byte[] bytes, int begin, int end) {
    int last = -1;
    int escapes = 0;
    int lines = 0;
    for (int at = begin; at < end; at++) {
      if (bytes[at] == '\\') {
        last = at++;
        escapes++;
        lines += at < end && bytes[at] == 'n' ? 1 : 0;
      }
    }
    boolean hasEnd = last >= 0 && last == end - 2 && bytes[end - 1] == 'n';
    from = begin;
    to = hasEnd ? last : end;
    isPart = !hasEnd;
    isEscaped = escapes > (hasEnd ? 1 : 0);
    hasLines = lines > (hasEnd ? 1 : 0);
  }
}
