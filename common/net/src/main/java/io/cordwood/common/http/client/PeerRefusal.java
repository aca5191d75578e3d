package io.cordwood.common.http.client;

import java.io.IOException;

/** A call did not reach those who would answer it: it may be made again on another connection. */
final class PeerRefusal extends IOException {
  private static final long serialVersionUID = 1L;

  PeerRefusal(String why) {
    super(why);
  }

  /** A copy with the stack of the thread that it is thrown to. */
  PeerRefusal again() {
    var again = new PeerRefusal(String.valueOf(getMessage()));
    again.initCause(this);
    return again;
  }
}
