package io.cordwood.ingest.syslog;

import io.cordwood.ingest.event.EventTime;
import java.util.Arrays;

/**
 * Reads what stands before a message's text, if it is as one of these; what is not there is empty.
 * Reusable, for one thread.
 *
 * <pre>
 *   &lt;13&gt;1 2026-11-26T19:54:59Z host app 42 ID [a@1 k="v"] text        RFC 5424; - for none
 *   &lt;13&gt;Nov 26 19:54:59 host app[42]: text                            RFC 3164
 *   &lt;13&gt;Nov 26 19:54:59 app[42]: text                                 Docker
 *   &lt;13&gt;2026-11-26T19:54:59.123+01:00 host app: text                  rsyslog's ForwardFormat
 *   &lt;14&gt;app: text                                                     Python's SysLogHandler
 * </pre>
 */
final class SyslogHeader {
  private static final int MAX_PRIORITY = 191;
  private static final int MAX_HOST_BYTES = 255;
  private static final int MAX_APP_BYTES = 64;

  private final SyslogTime times;
  private byte[] bytes = {};
  private int to;
  private EventTime time = EventTime.NONE;
  private int timeEnd;
  private int hostFrom;
  private int hostTo;
  private int appFrom;
  private int appTo;
  private int senderEnd;

  SyslogHeader(SyslogTime times) {
    this.times = times;
  }

  /** Reads the header of a message. */
  void read(byte[] message, int from, int end) {
    bytes = message;
    to = end;
    time = EventTime.NONE;
    hostFrom = hostTo = appFrom = appTo = from;
    timeEnd = senderEnd = from;
    int at = priorityEnd(bytes, from, to);
    if (at == from) {
      return;
    }
    if (at + 1 < to && bytes[at] == '1' && bytes[at + 1] == ' ') {
      readNew(at + 2);
    } else {
      readOld(at);
    }
  }

  private void readNew(int from) {
    boolean hasNone = from + 1 < to && bytes[from] == '-' && bytes[from + 1] == ' ';
    int end = hasNone ? from + 1 : takeTime(times.iso(bytes, from, to));
    if (end == SyslogTime.NONE || !isSpace(end)) {
      time = EventTime.NONE;
      return;
    }
    timeEnd = end + 1;
    int hostEnd = wordEnd(timeEnd);
    int appStart = Math.min(hostEnd + 1, to);
    int appEnd = wordEnd(appStart);
    int pidEnd = wordEnd(Math.min(appEnd + 1, to));
    if (!isSpace(hostEnd) || !isSpace(appEnd) || !isSpace(pidEnd)) {
      return;
    }
    host(timeEnd, hostEnd);
    app(appStart, appEnd);
    senderEnd = pidEnd + 1;
  }

  private void readOld(int from) {
    int end = takeTime(times.bsd(bytes, from, to));
    end = end == SyslogTime.NONE ? takeTime(times.iso(bytes, from, to)) : end;
    boolean isTimed = end != SyslogTime.NONE && isSpace(end);
    if (!isTimed) {
      time = EventTime.NONE;
      tag(from);
      return;
    }
    timeEnd = end + 1;
    if (!tag(timeEnd)) {
      int hostEnd = wordEnd(timeEnd);
      if (isSpace(hostEnd)) {
        host(timeEnd, hostEnd);
        var _ = tag(hostEnd + 1);
      }
    }
  }

  private int takeTime(int end) {
    time = end == SyslogTime.NONE ? time : times.time();
    return end;
  }

  /** Takes the name of a program, as in {@code app:} and {@code app[42]:}, if there is one. */
  private boolean tag(int from) {
    int at = from;
    while (at < to && isOfTag(bytes[at])) {
      at++;
    }
    int nameEnd = at;
    if (at < to && bytes[at] == '[') {
      while (at < to && bytes[at] != ']' && bytes[at] > ' ') {
        at++;
      }
      at++;
    }
    boolean isOne =
        nameEnd > from
            && at < to
            && bytes[at] == ':'
            && (at + 1 == to || bytes[at + 1] <= ' ' || nameEnd < at);
    if (isOne) {
      app(from, nameEnd);
      senderEnd = at + 1;
    }
    return isOne;
  }

  private static boolean isOfTag(byte each) {
    return each > ' ' && each != ':' && each != '[' && each != ']' && each != '<' && each < 127;
  }

  private void host(int from, int end) {
    if (isLabel(from, end, MAX_HOST_BYTES)) {
      hostFrom = from;
      hostTo = end;
    }
  }

  private void app(int from, int end) {
    if (isLabel(from, end, MAX_APP_BYTES)) {
      appFrom = from;
      appTo = end;
    }
  }

  private boolean isLabel(int from, int end, int most) {
    boolean isNone = end - from == 1 && bytes[from] == '-';
    return end > from && end - from <= most && !isNone;
  }

  private boolean isSpace(int at) {
    return at < to && bytes[at] == ' ';
  }

  /** The end of a word of printable ASCII. */
  private int wordEnd(int from) {
    int at = from;
    while (at < to && bytes[at] > ' ' && bytes[at] < 127) {
      at++;
    }
    return at;
  }

  /** The place after a priority; that where it should be, if there is none. */
  static int priorityEnd(byte[] bytes, int from, int to) {
    int at = from + 1;
    int priority = 0;
    while (at < to && at < from + 4 && SyslogTime.isDigit(bytes[at])) {
      priority = 10 * priority + bytes[at++] - '0';
    }
    boolean isOne =
        at > from + 1
            && at < to
            && bytes[from] == '<'
            && bytes[at] == '>'
            && priority <= MAX_PRIORITY;
    return isOne ? at + 1 : from;
  }

  EventTime time() {
    return time;
  }

  int hostFrom() {
    return hostFrom;
  }

  int hostTo() {
    return hostTo;
  }

  int appFrom() {
    return appFrom;
  }

  int appTo() {
    return appTo;
  }

  /** Whether it says when, and which program and process. */
  boolean isWhole() {
    return !time.equals(EventTime.NONE) && appTo > appFrom;
  }

  /** Whether another says the same of its sender, word for word. */
  boolean hasSenderOf(SyslogHeader other) {
    return isWhole()
        && other.isWhole()
        && Arrays.equals(bytes, timeEnd, senderEnd, other.bytes, other.timeEnd, other.senderEnd);
  }

  /** Bytes of what its sender is called and when that was. */
  int senderEnd() {
    return senderEnd;
  }
}
