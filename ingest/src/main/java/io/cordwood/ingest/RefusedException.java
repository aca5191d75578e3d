package io.cordwood.ingest;

/** Thrown when a sender's bytes cannot be taken: it is told why, and its connection ends. */
public final class RefusedException extends Exception {
  private final RejectReason reason;

  /**
   * @param message for the sender: what was expected, where, and what was found; control characters
   *     in it are replaced
   */
  public RefusedException(RejectReason reason, String message) {
    super(message.replaceAll("\\p{Cc}", "?"), null, false, false);
    this.reason = reason;
  }

  public RejectReason reason() {
    return reason;
  }
}
