package io.cordwood.cli.program;

/** A command cannot do its work; the message is the one line that its user reads. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CommandException(String message) {
    super(message);
  }

  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
