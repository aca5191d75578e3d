package io.cordwood.common.wire;

/** A first line that is a preamble, and a bad one; the message never shows its token. */
public final class BadPreambleException extends Exception {
  BadPreambleException(String message) {
    super("in the preamble: " + message);
  }
}
