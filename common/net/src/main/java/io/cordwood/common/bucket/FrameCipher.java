package io.cordwood.common.bucket;

import static io.cordwood.common.bucket.EncryptedFrames.FRAME_BYTES;
import static io.cordwood.common.bucket.EncryptedFrames.OVERHEAD_BYTES;
import static io.cordwood.common.bucket.EncryptedFrames.PLAIN_BYTES;
import static io.cordwood.common.bucket.EncryptedFrames.TAG_BYTES;
import static io.cordwood.common.bucket.EncryptedFrames.TRAILER_BYTES;

import io.cordwood.common.wire.CorruptException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts and decrypts the frames of one object. Its key follows from its name and its salt, so a
 * frame of another object or name is none here; the nonce is the frame's number and whether it is
 * the last one, so none counts in another place, and an object that was cut has no end. One thread.
 */
final class FrameCipher {
  private static final int NONCE_BYTES = 12;

  private final SecretKey key;
  private final byte[] trailer;
  private final Cipher cipher;

  /** By a key and a salt; the trailer of all frames has both. */
  FrameCipher(EncryptionKey by, String objectKey, byte[] salt) {
    key = by.forObject(objectKey, salt);
    trailer =
        ByteBuffer.allocate(TRAILER_BYTES)
            .put(salt)
            .put(HexFormat.of().parseHex(by.id()))
            .put(EncryptedFrames.MAGIC)
            .array();
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES/GCM/NoPadding", e);
    }
  }

  private void init(int mode, long frame, boolean isLast) throws GeneralSecurityException {
    byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putInt(isLast ? 1 : 0).putLong(frame).array();
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    cipher.updateAAD(trailer);
  }

  /** A frame as it is stored. */
  byte[] encrypt(byte[] plain, long frame, boolean isLast) {
    byte[] stored = new byte[plain.length + OVERHEAD_BYTES];
    try {
      init(Cipher.ENCRYPT_MODE, frame, isLast);
      int bytes = cipher.doFinal(plain, 0, plain.length, stored);
      System.arraycopy(trailer, 0, stored, bytes, TRAILER_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a frame cannot be encrypted", e);
    }
    return stored;
  }

  /**
   * Decrypts frames that are stored one after another.
   *
   * @param first number of the first one
   * @param count frames of the object
   * @throws CorruptException if one is not what was stored there
   */
  ByteBuffer decrypt(ByteBuffer stored, long first, long count) throws CorruptException {
    int frames = (int) EncryptedFrames.count(stored.remaining());
    var plain = ByteBuffer.allocate(Math.max(0, stored.remaining() - frames * OVERHEAD_BYTES));
    byte[] frame = new byte[FRAME_BYTES];
    for (long number = first; number < first + frames; number++) {
      int bytes = Math.min(FRAME_BYTES, stored.remaining());
      stored.get(frame, 0, bytes);
      int end = bytes - TRAILER_BYTES;
      if (end < TAG_BYTES || !Arrays.equals(frame, end, bytes, trailer, 0, TRAILER_BYTES)) {
        throw damaged(number);
      }
      try {
        init(Cipher.DECRYPT_MODE, number, number == count - 1);
        plain.put(cipher.doFinal(frame, 0, end));
      } catch (AEADBadTagException e) {
        throw damaged(number);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("a frame cannot be decrypted", e);
      }
    }
    return plain.flip();
  }

  private static CorruptException damaged(long frame) {
    return new CorruptException(
        frame * PLAIN_BYTES, "expected bytes that were encrypted for this place, found others");
  }
}
