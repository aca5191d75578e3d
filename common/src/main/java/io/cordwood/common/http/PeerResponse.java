package io.cordwood.common.http;

import java.net.http.HttpHeaders;
import java.util.OptionalLong;

/** The answer to a {@link PeerClient}. */
public record PeerResponse(int status, HttpHeaders headers, PeerBody body) implements PeerReply {
  /** Whether the status is 200 to 299. */
  public boolean ok() {
    return status / 100 == 2;
  }

  /** A header that is a whole number; empty if there is none. */
  public OptionalLong longHeader(String name) {
    return headers.firstValueAsLong(name);
  }

  @Override
  public void close() {
    body.close();
  }
}
