package io.cordwood.query.match;

import java.nio.charset.StandardCharsets;

/** Characters in bytes that may be UTF-8. What is not is cut as {@link CharacterCompiler} says. */
final class Utf8 {
  private static final int REPLACEMENT = 0xFFFD;
  private static final int MAX_BYTES = 4;

  private Utf8() {}

  /** Whether a place is inside a character of the record that begins at from. */
  static boolean isInside(byte[] bytes, int from, int at) {
    if (!isContinuation(bytes[at])) {
      return false;
    }
    int first = firstOf(bytes, from, at);
    return first < at && length(bytes[first]) > at - first;
  }

  /** The character that ends right before a place; U+FFFD if it is none. */
  static int before(byte[] bytes, int from, int at) {
    return decode(bytes, firstOf(bytes, from, at - 1), at);
  }

  /** The character that begins at a place; U+FFFD if it is none. */
  static int at(byte[] bytes, int at, int to) {
    return decode(bytes, at, Math.min(to, at + length(bytes[at])));
  }

  /** Whether a character is part of a word: a letter, mark, digit or connector, or a joiner. */
  static boolean isWord(int character) {
    return switch (Character.getType(character)) {
      case Character.NON_SPACING_MARK,
          Character.ENCLOSING_MARK,
          Character.COMBINING_SPACING_MARK,
          Character.DECIMAL_DIGIT_NUMBER,
          Character.CONNECTOR_PUNCTUATION ->
          true;
      default -> Character.isAlphabetic(character) || character == 0x200C || character == 0x200D;
    };
  }

  /** The nearest byte that continues nothing, going back from a place as far as one may be. */
  private static int firstOf(byte[] bytes, int from, int at) {
    int first = at;
    while (first > from && at - first < MAX_BYTES - 1 && isContinuation(bytes[first])) {
      first--;
    }
    return first;
  }

  private static int decode(byte[] bytes, int from, int to) {
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    int character = text.codePointAt(0);
    return Character.charCount(character) == text.length() ? character : REPLACEMENT;
  }

  private static boolean isContinuation(byte value) {
    return (value & 0xC0) == 0x80;
  }

  /** How many bytes a character has that begins so; 1 if none does. */
  private static int length(byte first) {
    int value = first & 0xFF;
    if (value < 0xC2 || value > 0xF4) {
      return 1;
    }
    return value < 0xE0 ? 2 : value < 0xF0 ? 3 : 4;
  }
}
