package io.cordwood.common.bucket;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How an encrypted object is cut: into frames, all of them full but the last one, which may be
 * empty only if it is the only one. A frame can be read without any other, and the last bytes of an
 * object show that it is encrypted.
 *
 * <pre>
 *   0 to 16,336   the object's bytes, by AES-256-GCM
 *   16            tag
 *   16            salt of the object
 *    8            id of the key
 *    8            CWFRAME1
 * </pre>
 */
final class EncryptedFrames {
  static final int FRAME_BYTES = 16 << 10;
  static final int TAG_BYTES = 16;
  static final byte[] MAGIC = "CWFRAME1".getBytes(US_ASCII);
  private static final int MAGIC_BYTES = 8;

  /** Salt, id of the key, magic. */
  static final int TRAILER_BYTES = EncryptionKey.SALT_BYTES + EncryptionKey.ID_BYTES + MAGIC_BYTES;

  static final int OVERHEAD_BYTES = TAG_BYTES + TRAILER_BYTES;

  /** The object's bytes in a full frame. */
  static final int PLAIN_BYTES = FRAME_BYTES - OVERHEAD_BYTES;

  private EncryptedFrames() {}

  /** Frames of an object, by the bytes that it takes. */
  static long count(long storedBytes) {
    return (storedBytes + FRAME_BYTES - 1) / FRAME_BYTES;
  }

  /** Bytes of an object, by those that it takes; 0 if none takes these. */
  static long plainBytes(long storedBytes) {
    return Math.max(0, storedBytes - count(storedBytes) * OVERHEAD_BYTES);
  }

  /** Bytes at the end of what is stored, in which an object's last bytes are for certain. */
  static int storedTail(int plainBytes) {
    long frames = (plainBytes + PLAIN_BYTES - 2L) / PLAIN_BYTES + 1;
    return (int) Math.min(frames * FRAME_BYTES, Integer.MAX_VALUE - FRAME_BYTES);
  }

  /** Whether the rest of a buffer ends as a frame does. */
  static boolean isEndOfOne(ByteBuffer bytes) {
    byte[] end = new byte[MAGIC_BYTES];
    if (bytes.remaining() >= OVERHEAD_BYTES) {
      bytes.get(bytes.limit() - end.length, end);
    }
    return Arrays.equals(end, MAGIC);
  }

  /** Whether these are the last bytes of a frame, or were before one of them was damaged. */
  static boolean isNearly(byte[] magic) {
    return differInOneAtMost(magic, MAGIC);
  }

  static boolean differInOneAtMost(byte[] one, byte[] other) {
    int different = 0;
    for (int i = 0; i < one.length; i++) {
      different += one[i] == other[i] ? 0 : 1;
    }
    return different <= 1;
  }
}
