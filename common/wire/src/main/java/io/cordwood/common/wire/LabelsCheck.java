package io.cordwood.common.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Whether bytes are what {@link Labels#bytes()} gives, found without an object for each pair. */
final class LabelsCheck {
  private static final byte[][] RESERVED = {{'t', 'o', 'p', 'i', 'c'}, {'t', 'i', 'm', 'e'}};

  static final int MAX_PAIRS = 64;
  static final int MAX_BYTES = 8 << 10;
  static final int MAX_NAME_BYTES = 128;

  private LabelsCheck() {}

  static boolean isAsWritten(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      return false;
    }
    int pairs = 0;
    int nameBefore = 0;
    int endBefore = 0;
    boolean ascii = true;
    for (int at = 0; at < bytes.length; ) {
      int equals = indexOf(bytes, '=', at + 1);
      if (equals == bytes.length
          || bytes[at] != '\n'
          || !isName(bytes, at + 1, equals)
          || isReserved(bytes, at + 1, equals)
          || Arrays.compareUnsigned(bytes, nameBefore, endBefore, bytes, at + 1, equals) >= 0) {
        return false;
      }
      nameBefore = at + 1;
      endBefore = equals;
      for (at = equals + 1; at < bytes.length && bytes[at] != '\n'; at++) {
        if (bytes[at] == 0) {
          return false;
        }
        ascii &= bytes[at] > 0;
      }
      pairs++;
    }
    return pairs <= MAX_PAIRS && (ascii || isUtf8(bytes));
  }

  /** The first place of a character from one on; the end if it has none. */
  static int indexOf(byte[] bytes, char wanted, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  /** Whether the bytes before an equals sign, or before the end if there is none, are a name. */
  static boolean isName(byte[] bytes, int from, int to) {
    if (from >= to || to - from > MAX_NAME_BYTES) {
      return false;
    }
    for (int i = from; i < to; i++) {
      byte c = bytes[i];
      boolean first = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!first && (i == from || !((c >= '0' && c <= '9') || c == '.' || c == '-'))) {
        return false;
      }
    }
    return true;
  }

  /** Whether it is a name that each record has anyway. */
  static boolean isReserved(byte[] bytes, int from, int to) {
    for (byte[] name : RESERVED) {
      if (Arrays.equals(name, 0, name.length, bytes, from, to)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).hasRemaining();
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
