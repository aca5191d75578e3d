package io.cordwood.ingest.unconsumed;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file, as an HTTP Range header asks for it. Anything but one range of bytes is the
 * whole, as the standard has it for what a server does not know.
 *
 * @param bytes 0 if nothing of the range is in the file
 */
record ByteRange(long from, long bytes) {
  private static final Pattern ONE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

  /**
   * @param header empty if there is none
   */
  static ByteRange of(String header, long size) {
    Matcher one = ONE.matcher(header);
    if (!one.matches() || header.equals("bytes=-")) {
      return new ByteRange(0, size);
    }
    if (one.group(1).isEmpty()) {
      long last = Math.min(size, Long.parseLong(one.group(2)));
      return new ByteRange(size - last, last);
    }
    long from = Long.parseLong(one.group(1));
    long end = one.group(2).isEmpty() ? size : Math.min(size, Long.parseLong(one.group(2)) + 1);
    return new ByteRange(from, Math.max(0, end - from));
  }

  boolean isEmpty() {
    return bytes == 0;
  }

  String contentRange(long size) {
    return "bytes " + from + "-" + (from + bytes - 1) + "/" + size;
  }
}
