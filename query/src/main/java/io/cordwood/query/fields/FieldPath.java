package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * The name of a field: a key, or keys of nested objects with dots between, and places in arrays:
 * {@code status}, {@code user.id}, {@code spans[0].name}. A key may hold dots itself: {@code
 * user.id} is the key {@code user.id} as well as the key {@code id} of the object {@code user}.
 */
public final class FieldPath extends FieldNames {
  /** The longest name, in bytes of UTF-8. */
  public static final int MAX_BYTES = FieldNames.MAX_BYTES;

  /** A place may be part of a key as well, and need not stand in the record. */
  private static final Pattern BETWEEN_KEYS = Pattern.compile("[.\\[]([0-9]*])?");

  private static final int MAX_PLACE = 999_999;

  private final byte[] text;
  private final int ofAccessLog;

  private FieldPath(byte[] text) {
    this.text = text;
    this.ofAccessLog = AccessLog.position(text);
  }

  /**
   * The path of a name.
   *
   * @throws IllegalArgumentException if it is empty or too long
   */
  public static FieldPath of(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    if (text.length == 0 || text.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected a field of 1 to %d bytes, found %d".formatted(MAX_BYTES, text.length));
    }
    return new FieldPath(text);
  }

  /** Which part of a line of an access log has this name; -1 if none has. */
  int ofAccessLog() {
    return ofAccessLog;
  }

  /** The longest of the parts between dots and brackets. Each of them stands in a key. */
  byte[] longestKey() {
    String longest = "";
    for (String part : BETWEEN_KEYS.split(toString(), -1)) {
      longest = part.length() > longest.length() ? part : longest;
    }
    return longest.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  boolean endsAt(int index, byte first) {
    return index == text.length;
  }

  @Override
  boolean goesInto(int index, byte bracket) {
    return text[index] == (bracket == '{' ? '.' : '[');
  }

  @Override
  boolean accept(FieldValue value, int index) {
    return true;
  }

  @Override
  boolean isErrorSkipped(int index, byte bracket) {
    return false;
  }

  @Override
  void endObject() {}

  @Override
  boolean isWhole(byte[] bytes, int from, int to) {
    return to - from == text.length && Arrays.equals(bytes, from, to, text, 0, text.length);
  }

  /** A key may be all that is left, or what is before a dot or a bracket. */
  @Override
  int behindKey(int index, byte[] bytes, int from, int to) {
    int end = index + (to - from);
    if (end > text.length || end == index || bytes[from] != text[index]) {
      return -1;
    }
    boolean ends = end == text.length || text[end] == '.' || text[end] == '[';
    return ends && Arrays.equals(bytes, from, to, text, index, end) ? end : -1;
  }

  /** The number in the bracket that begins at an index; -1 if none is there. */
  @Override
  int place(int index) {
    int place = -1;
    int at = index + 1;
    for (; at < text.length && text[at] >= '0' && text[at] <= '9'; at++) {
      place = Math.min(Math.max(place, 0) * 10 + text[at] - '0', MAX_PLACE);
    }
    return at < text.length && text[at] == ']' ? place : -1;
  }

  @Override
  int behindPlace(int index, int place) {
    int at = index;
    while (text[at] != ']') {
      at++;
    }
    return at + 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldPath that && Arrays.equals(text, that.text);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(text);
  }

  @Override
  public String toString() {
    return new String(text, StandardCharsets.UTF_8);
  }
}
