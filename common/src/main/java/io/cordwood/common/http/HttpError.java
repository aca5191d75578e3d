package io.cordwood.common.http;

/** An answer other than success: a status and one line that says what is wrong. */
public final class HttpError extends RuntimeException {
  private final int status;

  /**
   * @param status HTTP status, 400 to 599
   * @param message one line, without {@code error: } in front
   */
  public HttpError(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** The HTTP status, 400 to 599. */
  public int status() {
    return status;
  }

  /** The body of the answer: one line, whatever the message holds. */
  String body() {
    return "error: " + String.valueOf(getMessage()).replaceAll("\\p{Cntrl}", "?") + "\n";
  }
}
