package io.cordwood.query.match;

/** Case and word characters of ASCII. */
final class Ascii {
  private Ascii() {}

  static byte lower(byte value) {
    return value >= 'A' && value <= 'Z' ? (byte) (value | 0x20) : value;
  }

  static byte[] lower(byte[] bytes) {
    byte[] lower = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      lower[i] = lower(bytes[i]);
    }
    return lower;
  }

  /** Whether {@code \w} matches the byte. */
  static boolean isWord(int value) {
    return (value >= '0' && value <= '9')
        || (value >= 'A' && value <= 'Z')
        || value == '_'
        || (value >= 'a' && value <= 'z');
  }
}
