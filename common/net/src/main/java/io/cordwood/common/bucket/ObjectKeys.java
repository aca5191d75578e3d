package io.cordwood.common.bucket;

import java.util.regex.Pattern;

/** Which keys objects have, in a folder and in S3 alike. */
final class ObjectKeys {
  private static final int MAX_CHARS = 512;

  /** No part is empty, or begins with a dot: folders keep files there that are being written. */
  private static final Pattern KEY =
      Pattern.compile("[0-9A-Za-z_-][0-9A-Za-z._-]*(/[0-9A-Za-z_-][0-9A-Za-z._-]*)*");

  private ObjectKeys() {}

  static boolean isKey(String text) {
    return text.length() <= MAX_CHARS && KEY.matcher(text).matches();
  }

  /**
   * Takes a key.
   *
   * @throws IllegalArgumentException if it is none
   */
  static String check(String key) {
    if (!isKey(key)) {
      throw new IllegalArgumentException(
          "expected a key of 1 to 512 of 0-9A-Za-z._/-, found \"" + key + "\"");
    }
    return key;
  }
}
