package io.cordwood.cli.encoding;

import io.cordwood.common.http.BlockInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Text in UTF-16, as UTF-8. What is malformed becomes U+FFFD. One thread. */
final class Utf8Input extends BlockInput {
  private static final int CHARS = 16 << 10;

  private final Reader reader;
  private final char[] chars = new char[CHARS + 1];
  private byte[] bytes = {};
  private int at;

  Utf8Input(InputStream in, ByteOrder order) {
    boolean isLittle = order == ByteOrder.LITTLE_ENDIAN;
    this.reader =
        new InputStreamReader(in, isLittle ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == bytes.length && !fill()) {
      return -1;
    }
    int count = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, target, offset, count);
    at += count;
    return count;
  }

  private boolean fill() throws IOException {
    int count = reader.read(chars, 0, CHARS);
    if (count < 0) {
      return false;
    }
    if (Character.isHighSurrogate(chars[count - 1]) && reader.read(chars, count, 1) == 1) {
      count++;
    }
    bytes = new String(chars, 0, count).getBytes(StandardCharsets.UTF_8);
    at = 0;
    return true;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
