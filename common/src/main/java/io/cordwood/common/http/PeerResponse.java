package io.cordwood.common.http;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * A peer's answer: its headers are here, its body is still coming. To be closed.
 *
 * @param status HTTP status
 */
public record PeerResponse(int status, HttpHeaders headers, PeerBody body)
    implements AutoCloseable {
  private static final int MAX_ERROR_BYTES = 4096;

  /** Whether the status is 200 to 299. */
  public boolean ok() {
    return status / 100 == 2;
  }

  /** A header that is a whole number; empty if there is none. */
  public OptionalLong longHeader(String name) {
    return headers.firstValueAsLong(name);
  }

  /** The body of an answer that is an error: one line, cut if it is long. */
  public String error() throws IOException {
    String text = new String(body.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8);
    return text.strip().replaceAll("\\p{Cntrl}", "?");
  }

  /** Tells the peer to stop, if the body was not read to its end. */
  @Override
  public void close() {
    body.close();
  }
}
