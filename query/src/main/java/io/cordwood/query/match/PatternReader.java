package io.cordwood.query.match;

/** A cursor over the characters of a pattern; knows its place for error messages. */
final class PatternReader {
  private static final int MAX_DIGITS = 8;

  private final int[] characters;
  private int at;

  PatternReader(String pattern) {
    this.characters = pattern.codePoints().toArray();
  }

  boolean hasNext() {
    return at < characters.length;
  }

  int peek() {
    return characters[at];
  }

  int next() {
    if (!hasNext()) {
      throw expected("another character");
    }
    return characters[at++];
  }

  int position() {
    return at;
  }

  void reset(int position) {
    at = position;
  }

  boolean startsWith(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (at + i >= characters.length || characters[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  boolean skip(String text) {
    boolean there = startsWith(text);
    at += there ? text.length() : 0;
    return there;
  }

  boolean skip(char character) {
    boolean there = hasNext() && peek() == character;
    at += there ? 1 : 0;
    return there;
  }

  void require(char character, String expected) {
    if (!skip(character)) {
      throw expected(expected);
    }
  }

  /** Reads decimal digits; -1 if there are none. */
  int number() {
    int start = at;
    int value = 0;
    while (hasNext() && peek() >= '0' && peek() <= '9' && at - start < MAX_DIGITS) {
      value = 10 * value + (next() - '0');
    }
    return at == start ? -1 : value;
  }

  /** Reads a name of ASCII letters, digits and underscores. */
  String name() {
    int start = at;
    while (hasNext() && Ascii.isWord(peek())) {
      at++;
    }
    if (at == start) {
      throw expected("a name");
    }
    return new String(characters, start, at - start);
  }

  /** Reads up to the end character, which is skipped. */
  String until(char end, String expected) {
    int start = at;
    while (hasNext() && peek() != end) {
      at++;
    }
    require(end, expected);
    return new String(characters, start, at - 1 - start);
  }

  /** The error that something else should be here. */
  PatternException expected(String expected) {
    String found = hasNext() ? "\"" + Character.toString(peek()) + "\"" : "the end of the pattern";
    return PatternException.at(at + 1, expected, found);
  }
}
