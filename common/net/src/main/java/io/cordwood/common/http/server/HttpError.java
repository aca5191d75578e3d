package io.cordwood.common.http.server;

import io.cordwood.common.wire.AnswerLine;
import java.util.Map;

/** An answer other than success: a status and one line that says what is wrong. */
public final class HttpError extends RuntimeException {
  private static final int SHOWN_CHARS = 100;

  private final int status;
  private final int retryAfterSeconds;
  private final Map<String, String> headers;

  /**
   * @param status HTTP status, 400 to 599
   * @param message one line, without {@code error: } in front
   */
  public HttpError(int status, String message) {
    this(status, message, 0, Map.of());
  }

  /**
   * @param headers of the answer, besides
   */
  HttpError(int status, String message, int retryAfterSeconds, Map<String, String> headers) {
    super(message, null, false, false);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = Map.copyOf(headers);
  }

  /**
   * Refuses a request that may be repeated later; the answer's header {@code retry-after} says
   * when.
   */
  public static HttpError busy(String message, int retryAfterSeconds) {
    return new HttpError(503, message, retryAfterSeconds, Map.of());
  }

  /** The beginning of what a client sent, for the message. */
  static String cut(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
  }

  Map<String, String> headers() {
    return headers;
  }

  /** When to ask again; 0 if there is no telling. */
  public int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  /** The HTTP status, 400 to 599. */
  public int status() {
    return status;
  }

  /** The body of the answer: one line, whatever the message holds. */
  String body() {
    return AnswerLine.error(String.valueOf(getMessage()));
  }
}
