package io.cordwood.common.wire;

import io.cordwood.common.wire.ForeignBytesException.Kind;
import java.util.List;
import java.util.regex.Pattern;

/** The first line of an HTTP request: of a scraper, a browser, a load balancer. */
final class HttpRequestLine {
  /** A first line that is longer is data. */
  static final int MAX_BYTES = 8 << 10;

  private static final List<String> METHODS =
      List.of(
          "GET ",
          "HEAD ",
          "POST ",
          "PUT ",
          "DELETE ",
          "OPTIONS ",
          "PATCH ",
          "CONNECT ",
          "TRACE ",
          "PRI ");

  private static final Pattern LINE = Pattern.compile("[A-Z]+ \\S+ HTTP/\\d(\\.\\d)?\r?");

  private HttpRequestLine() {}

  /** As {@link ForeignBytes#areNoRequest}. */
  static boolean isData(String text, boolean ended) throws ForeignBytesException {
    boolean begins = METHODS.stream().anyMatch(text::startsWith);
    if (!begins) {
      return ended || METHODS.stream().noneMatch(method -> method.startsWith(text));
    }
    int lf = text.indexOf('\n');
    if (lf < 0) {
      return ended || text.length() >= MAX_BYTES;
    }
    if (LINE.matcher(text.substring(0, lf)).matches()) {
      throw new ForeignBytesException(
          Kind.HTTP, "an HTTP request: those go to the API port" + " (--api-port, usually 7650)");
    }
    return true;
  }
}
