package io.cordwood.query.match;

/** Part of a question that is refused. The message says where, what was expected and found. */
public abstract class RefusedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final boolean tooMuch;

  /**
   * @param tooMuch whether it would do, but there is more of it than a question may have
   */
  protected RefusedException(String message, boolean tooMuch) {
    super(message);
    this.tooMuch = tooMuch;
  }

  /** Whether it would do, but there is more of it than a question may have. */
  public boolean isTooMuch() {
    return tooMuch;
  }

  /** Whether the cause says that of itself. */
  protected static boolean isTooMuch(IllegalArgumentException why) {
    return why instanceof RefusedException refused && refused.tooMuch;
  }
}
