package io.cordwood.common.bucket;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The frames of an object, made while they are read. The last one only comes if the bytes are those
 * that the salt is of: others must never be encrypted under it.
 */
final class EncryptingStream extends InputStream {
  private final InputStream plain;
  private final ObjectContent content;
  private final FrameCipher cipher;
  private final MessageDigest digest = ObjectContent.sha256();
  private long left;
  private long frame;
  private boolean isOver;
  private byte[] stored = new byte[0];
  private int at;

  /**
   * @param content which is opened, and closed with this
   */
  EncryptingStream(ObjectContent content, FrameCipher cipher) throws IOException {
    this.content = content;
    this.cipher = cipher;
    this.plain = content.open();
    this.left = content.size();
  }

  @Override
  public int read() throws IOException {
    return at < stored.length || next() ? stored[at++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == stored.length && !next()) {
      return -1;
    }
    int bytes = Math.min(length, stored.length - at);
    System.arraycopy(stored, at, target, offset, bytes);
    at += bytes;
    return bytes;
  }

  private boolean next() throws IOException {
    if (isOver) {
      return false;
    }
    int bytes = (int) Math.min(left, EncryptedFrames.PLAIN_BYTES);
    byte[] read = plain.readNBytes(bytes);
    digest.update(read);
    left -= bytes;
    isOver = left == 0;
    if (read.length < bytes
        || (isOver && !HexFormat.of().formatHex(digest.digest()).equals(content.sha256Hex()))) {
      throw new IOException("expected the bytes of before, found others: they change while put");
    }
    stored = cipher.encrypt(read, frame++, isOver);
    at = 0;
    return true;
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }
}
