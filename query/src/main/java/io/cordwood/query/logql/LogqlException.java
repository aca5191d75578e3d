package io.cordwood.query.logql;

import io.cordwood.query.match.RefusedException;

/** A text is no LogQL, or has something that is not supported. */
public final class LogqlException extends RefusedException {
  private static final long serialVersionUID = 1;

  /**
   * @param at index of the character, from 0 on
   */
  LogqlException(int at, String message) {
    this(at, message, false);
  }

  /** Part of it is refused by who reads that. */
  LogqlException(int at, String part, IllegalArgumentException why) {
    this(at, part + why.getMessage(), isTooMuch(why));
  }

  private LogqlException(int at, String message, boolean tooMuch) {
    super("character " + (at + 1) + ": " + message, tooMuch);
  }

  /** It is LogQL, but more of it than is read. */
  static LogqlException tooMuch(int at, String message) {
    return new LogqlException(at, message, true);
  }
}
