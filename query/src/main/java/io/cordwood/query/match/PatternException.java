package io.cordwood.query.match;

/** A pattern that is refused. The message says where, what was expected and what was found. */
public final class PatternException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  PatternException(String message) {
    super(message);
  }

  /** A fault at a character of the pattern, the first being 1. */
  static PatternException at(int character, String expected, String found) {
    return new PatternException(
        "pattern, character " + character + ": expected " + expected + ", found " + found);
  }
}
