package io.cordwood.query.fields;

/** Conditions that are refused. The message says where, what was expected and what was found. */
public final class WhereException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final boolean tooMuch;

  /**
   * @param tooMuch whether there is more of something than conditions may have
   */
  WhereException(String message, boolean tooMuch) {
    super(message);
    this.tooMuch = tooMuch;
  }

  /** Whether there is more of something than conditions may have. */
  public boolean isTooMuch() {
    return tooMuch;
  }
}
