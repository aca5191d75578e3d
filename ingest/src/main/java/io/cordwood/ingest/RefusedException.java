package io.cordwood.ingest;

/** What a sender sent cannot be taken: it is told why, and its connection ends. */
final class RefusedException extends Exception {
  private final RejectReason reason;

  /**
   * @param message for the sender: what was expected, where, and what was found
   */
  RefusedException(RejectReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  RejectReason reason() {
    return reason;
  }
}
