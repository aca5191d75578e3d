package io.cordwood.common.cluster;

import java.io.IOException;

/** Bytes from the network that are not what a peer of this version would have sent. */
final class GossipFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** What is wrong with them, for those who count. */
  enum Reason {
    /** Not in any form that this version knows. */
    MALFORMED,
    /** In the form of an older or a later version. */
    VERSION
  }

  GossipFormatException(String message) {
    this(Reason.MALFORMED, message);
  }

  GossipFormatException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }

  /** Without a stack trace: garbage comes at the sender's pace, and the message says it all. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
