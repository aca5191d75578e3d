package io.cordwood.query.match;

/** A pattern that is refused. */
public final class PatternException extends RefusedException {
  private static final long serialVersionUID = 1;

  PatternException(String message) {
    this(message, false);
  }

  private PatternException(String message, boolean tooMuch) {
    super(message, tooMuch);
  }

  /** There are more patterns, bytes, instructions or groups than are searched for. */
  public static PatternException tooMuch(String message) {
    return new PatternException(message, true);
  }

  /** A fault at a character of the pattern, the first being 1. */
  static PatternException at(int character, String expected, String found) {
    return new PatternException(
        "pattern, character " + character + ": expected " + expected + ", found " + found);
  }
}
