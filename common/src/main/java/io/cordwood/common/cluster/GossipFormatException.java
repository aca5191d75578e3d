package io.cordwood.common.cluster;

import java.io.IOException;

/** Bytes from the network that are not what a peer of this version would have sent. */
final class GossipFormatException extends IOException {
  private static final long serialVersionUID = 1;

  GossipFormatException(String message) {
    super(message);
  }

  /** Without a stack trace: garbage comes at the sender's pace, and the message says it all. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
