package io.cordwood.common.wire;

import io.cordwood.common.wire.ForeignBytesException.Kind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages of syslog that have their length in front and no line feed after it, {@code 123 <34>1 …}
 * (RFC 6587, 3.4.1): all of a connection would be one record.
 */
final class OctetCount {
  private static final Pattern BEGIN = Pattern.compile("([1-9][0-9]{0,6}) <[0-9]{1,3}>");
  private static final Pattern MAY_BEGIN = Pattern.compile("([1-9][0-9]{0,6}( (<[0-9]{0,3})?)?)?");

  private OctetCount() {}

  /** As {@link ForeignBytes#areUncounted}. */
  static boolean isData(String start, boolean ended) throws ForeignBytesException {
    Matcher begin = BEGIN.matcher(start);
    if (!begin.lookingAt()) {
      return ended || !MAY_BEGIN.matcher(start).matches();
    }
    int messageEnd = begin.end(1) + 1 + Integer.parseInt(begin.group(1));
    if (isMessage(start, messageEnd)) {
      throw new ForeignBytesException(
          Kind.OCTET_COUNTED,
          "syslog with the length in front of each message (octet"
              + " counting): set the sender to end messages with a line feed, as"
              + " TCP_Framing=\"traditional\" of rsyslog and network() of syslog-ng do");
    }
    return true;
  }

  /** Whether the length is one: another message follows, or the rest of this one. */
  private static boolean isMessage(String start, int end) {
    return end < start.length()
        ? Character.digit(start.charAt(end), 10) > 0
        : end == start.length() || start.indexOf('\n') < 0;
  }
}
