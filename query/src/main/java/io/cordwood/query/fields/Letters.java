package io.cordwood.query.fields;

/** Bytes of text that levels and parts of lines are told by. */
final class Letters {
  private static final boolean[] OF_WORD = new boolean[256];

  static {
    for (int b = 0; b < OF_WORD.length; b++) {
      int letter = lower((byte) b);
      OF_WORD[b] = (letter >= 'a' && letter <= 'z') || isDigit((byte) b) || b == '_';
    }
  }

  private Letters() {}

  /** The index after a colour for a terminal, or after its first byte if it is none. */
  static int behindColour(byte[] bytes, int at, int to) {
    int end = at + 1;
    if (end == to || bytes[end] != '[') {
      return end;
    }
    end++;
    while (end < to && (isDigit(bytes[end]) || bytes[end] == ';' || bytes[end] == ':')) {
      end++;
    }
    return end < to && bytes[end] == 'm' ? end + 1 : at + 1;
  }

  static boolean isOfWord(byte b) {
    return OF_WORD[b & 0xFF];
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Whether an object or array of JSON begins with it. */
  static boolean isBracket(byte b) {
    return b == '{' || b == '[';
  }

  static int lower(byte b) {
    return b >= 'A' && b <= 'Z' ? b + 'a' - 'A' : b & 0xFF;
  }
}
