package io.cordwood.ingest.gelf;

/** Thrown at what is no GELF. */
final class NotGelfException extends Exception {
  /**
   * @param message what was expected, and what was found
   */
  NotGelfException(String message) {
    super(message, null, false, false);
  }
}
