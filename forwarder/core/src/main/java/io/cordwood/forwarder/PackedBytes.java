package io.cordwood.forwarder;

/** Knows the first bytes of what gzip and zlib make, which begin no text. */
final class PackedBytes {
  private static final int GZIP = 0x1F8B;

  /** Deflate with a window of 32 KiB; the second byte is the level and a check of both. */
  private static final int ZLIB_FAST = 0x7801;

  private static final int ZLIB_USUAL = 0x789C;
  private static final int ZLIB_BEST = 0x78DA;

  private PackedBytes() {}

  static boolean areIn(byte[] bytes, int offset, int length) {
    if (length < 3) {
      return false;
    }
    int first = ((bytes[offset] & 0xFF) << 8) | (bytes[offset + 1] & 0xFF);
    return switch (first) {
      case GZIP, ZLIB_FAST, ZLIB_USUAL -> true;
      case ZLIB_BEST -> (bytes[offset + 2] & 0xC0) != 0x80; // else a letter in UTF-8
      default -> false;
    };
  }
}
