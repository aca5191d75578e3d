package io.cordwood.common.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The secret itself: {@code cw_} and 32 random bytes as base64url. It is shown once, when it is
 * made; what is kept is its hash.
 *
 * <p>The hash is one round of SHA-256. Slow hashes and salts are for what people think up, of which
 * all likely ones can be tried; among 2^256 texts nobody finds the one to a hash, however quickly
 * one is tried, and a node has to tell 100,000 wrong ones a second without effort.
 */
public final class TokenText {
  static final String PREFIX = "cw_";
  private static final int RANDOM_BYTES = 32;
  private static final int CHARS = PREFIX.length() + 43;
  private static final SecureRandom RANDOM = new SecureRandom();

  private TokenText() {}

  /** A new one. */
  public static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Whether it could be one. */
  public static boolean isWellFormed(String text) {
    if (text.length() != CHARS || !text.startsWith(PREFIX)) {
      return false;
    }
    for (int at = PREFIX.length(); at < CHARS; at++) {
      char c = text.charAt(at);
      boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') {
        return false;
      }
    }
    return true;
  }

  /** Its SHA-256. */
  public static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JVM has it.
    }
  }
}
