package io.cordwood.dist;

/** A command cannot do its work; the message is the one line that its user reads. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CommandException(String message) {
    super(message);
  }

  CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
