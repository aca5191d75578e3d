package io.cordwood.ingest.sender;

import io.cordwood.common.tls.TlsHello;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The first line of an HTTP request, or the beginning of a TLS connection, which come to a port for
 * plain lines only by mistake: of a scraper, a browser, a load balancer. They would be stored as
 * records. What begins like one and goes on in another way is data.
 */
public final class HttpRequestLine {
  /** A first line that is longer is data. */
  public static final int MAX_BYTES = 8 << 10;

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

  /** False as long as it cannot be told. */
  private static boolean isNoTls(byte[] start) throws RefusedException {
    if (start.length >= TlsHello.BYTES) {
      throw new RefusedException(
          RejectReason.TLS,
          "expected lines or batches, found TLS: this port speaks plain text, as the node was"
              + " started without --tls-dir");
    }
    return false;
  }

  /**
   * Looks at the first bytes of a connection.
   *
   * @param start {@link #MAX_BYTES} of them if there are that many
   * @param ended whether nothing more will come
   * @return whether they are data, which cannot be told yet if not
   * @throws RefusedException if they are such a line
   */
  public static boolean isData(byte[] start, boolean ended) throws RefusedException {
    if (start.length > 0 && TlsHello.mayBe(start)) {
      return ended || isNoTls(start);
    }
    String text = new String(start, StandardCharsets.ISO_8859_1);
    boolean begins = METHODS.stream().anyMatch(text::startsWith);
    if (!begins) {
      return ended || METHODS.stream().noneMatch(method -> method.startsWith(text));
    }
    int lf = text.indexOf('\n');
    if (lf < 0) {
      return ended || text.length() >= MAX_BYTES;
    }
    if (LINE.matcher(text.substring(0, lf)).matches()) {
      throw new RefusedException(
          RejectReason.HTTP,
          "expected lines or batches, found an HTTP request: those go to the API port"
              + " (--api-port, usually 7650)");
    }
    return true;
  }
}
