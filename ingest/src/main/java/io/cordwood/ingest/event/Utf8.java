package io.cordwood.ingest.event;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Whether bytes are a text. */
public final class Utf8 {
  private Utf8() {}

  /** Whether these are UTF-8; of most texts, which are ASCII, nothing is decoded. */
  public static boolean is(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] >= 0) {
      at++;
    }
    return at == to || isDecoded(ByteBuffer.wrap(bytes, at, to - at));
  }

  private static boolean isDecoded(ByteBuffer bytes) {
    try {
      var _ = StandardCharsets.UTF_8.newDecoder().decode(bytes);
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
