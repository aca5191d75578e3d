package io.cordwood.query;

import java.io.IOException;

/** What a peer answered is not an answer; the message says what was expected and what was found. */
public final class AnswerFormatException extends IOException {
  public AnswerFormatException(String message) {
    super(message);
  }
}
