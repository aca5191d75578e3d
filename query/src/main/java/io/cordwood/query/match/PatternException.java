package io.cordwood.query.match;

/** A pattern that is refused. The message says where, what was expected and what was found. */
public final class PatternException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final boolean tooMuch;

  PatternException(String message) {
    this(message, false);
  }

  private PatternException(String message, boolean tooMuch) {
    super(message);
    this.tooMuch = tooMuch;
  }

  /** It would do, but there is more of it than is searched for. */
  static PatternException tooMuch(String message) {
    return new PatternException(message, true);
  }

  /** Whether there are more patterns, bytes or instructions than a query may have. */
  public boolean isTooMuch() {
    return tooMuch;
  }

  /** A fault at a character of the pattern, the first being 1. */
  static PatternException at(int character, String expected, String found) {
    return new PatternException(
        "pattern, character " + character + ": expected " + expected + ", found " + found);
  }
}
