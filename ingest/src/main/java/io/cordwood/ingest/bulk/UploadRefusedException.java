package io.cordwood.ingest.bulk;

import java.util.Locale;

/** An upload is not taken; nothing of it is kept. */
final class UploadRefusedException extends Exception {
  /** Why, and the HTTP status that says so. */
  enum Reason {
    /** Not what it should be: a bad preamble, or a batch that is not as its header says. */
    MALFORMED(400),
    /** Without a token that allows it. */
    TOKEN(403),
    /** The upload has a topic more than the node takes. */
    TOPICS(403),
    /** Its sender left in the middle. */
    CUT(400),
    /** Too few bytes came in time. */
    SLOW(408),
    /** More bytes, or more batches, than one upload may have. */
    TOO_LARGE(413),
    /** The disk failed. */
    DISK_ERROR(500),
    /** Too many uploads at once. */
    BUSY(503),
    /** The node is being closed. */
    CLOSING(503),
    /** The disk's reserve is reached. */
    DISK_FULL(507);

    private final int status;

    Reason(int status) {
      this.status = status;
    }

    int status() {
      return status;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Reason reason;

  /**
   * @param message for the sender: what was expected, where, and what was found
   */
  UploadRefusedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
