package io.cordwood.query.logql;

/** A text is no LogQL, or has something that is not supported; the message says where and what. */
public final class LogqlException extends RuntimeException {
  /**
   * @param at index of the character, from 0 on
   */
  LogqlException(int at, String message) {
    super("character " + (at + 1) + ": " + message, null, false, false);
  }
}
