package io.cordwood.query.result;

import java.io.IOException;

/** A peer sent an invalid answer; the message says what was expected and what was found. */
public final class AnswerFormatException extends IOException {
  public AnswerFormatException(String message) {
    super(message);
  }
}
