package io.cordwood.query.logql;

/** A text is no LogQL, or has something that is not supported; the message says where and what. */
public final class LogqlException extends RuntimeException {
  private final boolean tooMuch;

  /**
   * @param at index of the character, from 0 on
   */
  LogqlException(int at, String message) {
    this(at, message, false);
  }

  /**
   * @param tooMuch whether it is LogQL, but more of it than is read
   */
  LogqlException(int at, String message, boolean tooMuch) {
    super("character " + (at + 1) + ": " + message, null, false, false);
    this.tooMuch = tooMuch;
  }

  /** It is LogQL, but more of it than is read. */
  static LogqlException tooMuch(int at, String message) {
    return new LogqlException(at, message, true);
  }

  /** Whether it has more of something than a query may have. */
  public boolean isTooMuch() {
    return tooMuch;
  }
}
